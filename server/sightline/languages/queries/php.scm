(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name) @definition.trait
(enum_declaration name: (name) @name) @definition.enum
(enum_case name: (name) @name) @definition.field
(function_definition name: (name) @name) @definition.function
((method_declaration name: (name) @name) @definition.constructor (#eq? @name "__construct"))
(method_declaration name: (name) @name) @definition.method
(const_declaration (const_element . (name) @name)) @definition.constant
(property_declaration (property_element name: (variable_name (name) @name))) @definition.property
(namespace_definition name: (namespace_name) @name body: (_)) @definition.namespace

(comment) @comment

(function_call_expression function: (name) @call)
(function_call_expression function: (qualified_name (name) @call))
(member_call_expression object: (_) @receiver name: (name) @call)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @call)
(scoped_call_expression scope: (_) @receiver name: (name) @call)
(object_creation_expression (name) @call @new)

(namespace_use_clause [(name) (qualified_name)] @import)
(namespace_use_clause !alias [(name) (qualified_name)] @module)
(namespace_use_clause [(name) (qualified_name)] @module alias: (name) @alias)
(namespace_definition name: (_) @package)

(base_clause (_) @base)
(class_interface_clause (_) @base)
(method_declaration return_type: (_) @returns)
(function_definition return_type: (_) @returns)
(simple_parameter type: (_) @type name: (variable_name) @bind)
(simple_parameter !type name: (variable_name) @bind)
(property_promotion_parameter type: (_) @type name: (variable_name (name) @bind @field))
(property_declaration type: (_) @type (property_element name: (variable_name (name) @bind)))
(assignment_expression left: [(variable_name) (member_access_expression)] @bind right: (_) @value)
(foreach_statement (_) @each (variable_name) @bind)
(use_declaration (name) @import)
(include_expression (string) @import)
(require_expression (string) @import)
(require_once_expression (string) @import)
