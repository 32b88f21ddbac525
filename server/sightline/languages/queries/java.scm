(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(annotation_type_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(method_declaration name: (identifier) @name parameters: (_) @parameters) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name parameters: (_) @parameters) @definition.constructor
(compact_constructor_declaration name: (identifier) @name) @definition.constructor
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(enum_constant name: (identifier) @name) @definition.field

(line_comment) @comment
(block_comment) @comment

(method_invocation !object name: (identifier) @call arguments: (_) @arguments)
(method_invocation object: (_) @receiver name: (identifier) @call arguments: (_) @arguments)
(object_creation_expression type: (type_identifier) @call @new)
(object_creation_expression type: (generic_type (type_identifier) @call @new))
(object_creation_expression type: (scoped_type_identifier (_) @receiver (type_identifier) @call @new .))
(method_reference . (_) @receiver (identifier) @call @mark .)

(import_declaration (scoped_identifier) @import)
(import_declaration (scoped_identifier scope: (_) @module name: (identifier) @member) .)
(import_declaration (scoped_identifier) @module (asterisk) @member)
(package_declaration (_) @package)

(superclass (_) @base)
(super_interfaces (type_list (_) @base))
(extends_interfaces (type_list (_) @base))
(method_declaration type: (_) @returns)
(formal_parameter type: (_) @type name: (identifier) @bind)
(spread_parameter (_) @type (variable_declarator name: (identifier) @bind))
(lambda_expression parameters: (identifier) @bind)
(inferred_parameters (identifier) @bind)
(catch_formal_parameter (catch_type (_) @type) name: (identifier) @bind)
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @bind))
(local_variable_declaration type: (type_identifier) @_var declarator: (variable_declarator name: (identifier) @bind value: (_) @value)
  (#eq? @_var "var"))
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @bind))
(constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @bind))
(enhanced_for_statement type: (_) @type name: (identifier) @bind)
(resource type: (_) @type name: (identifier) @bind)
(instanceof_expression right: (_) @type name: (identifier) @bind)
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @bind @field)))
