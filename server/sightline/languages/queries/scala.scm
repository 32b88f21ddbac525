(class_definition name: (identifier) @name) @definition.class
(object_definition name: (identifier) @name) @definition.object
(trait_definition name: (identifier) @name) @definition.trait
(enum_definition name: (identifier) @name) @definition.enum
(package_object name: (identifier) @name) @definition.object
(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function
(given_definition name: (identifier) @name) @definition.object
(type_definition name: (type_identifier) @name) @definition.type
(simple_enum_case name: (identifier) @name) @definition.field
(full_enum_case name: (identifier) @name) @definition.field
(compilation_unit (val_definition pattern: (identifier) @name) @definition.constant)
(template_body (val_definition pattern: (identifier) @name) @definition.property)
(template_body (var_definition pattern: (identifier) @name) @definition.property)
(template_body (val_declaration name: (identifier) @name) @definition.property)

(comment) @comment
(block_comment) @comment

(call_expression function: (identifier) @call)
(call_expression function: (field_expression value: (_) @receiver field: (identifier) @call))
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (identifier) @call)))
(call_expression function: (generic_function function: (identifier) @call))
(instance_expression (type_identifier) @call @new)

(import_declaration path: (_) @import)
(import_declaration) @use
(package_clause name: (_) @package)

(extends_clause type: (_) @base)
(function_definition return_type: (_) @returns)
(function_declaration return_type: (_) @returns)
(parameter name: (identifier) @bind type: (_) @type)
(class_parameter name: (identifier) @bind type: (_) @type)
(val_definition pattern: (identifier) @bind type: (_) @type)
(val_definition pattern: (identifier) @bind !type value: (_) @value)
(var_definition pattern: (identifier) @bind type: (_) @type)
