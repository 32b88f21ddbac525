(class_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.struct
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(record_declaration name: (identifier) @name) @definition.class
(delegate_declaration name: (identifier) @name) @definition.type
(namespace_declaration name: (_) @name) @definition.namespace
(method_declaration name: (identifier) @name) @definition.method
(local_function_statement name: (identifier) @name) @definition.function
(constructor_declaration name: (identifier) @name) @definition.constructor
(destructor_declaration name: (identifier) @name) @definition.method
(property_declaration name: (identifier) @name) @definition.property
(event_declaration name: (identifier) @name) @definition.property
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.property
((field_declaration (modifier) @_const (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant (#eq? @_const "const"))
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(enum_member_declaration name: (identifier) @name) @definition.field

(comment) @comment

(invocation_expression function: (identifier) @call)
(invocation_expression function: (member_access_expression expression: _ @receiver name: (identifier) @call))
(invocation_expression function: (member_access_expression expression: _ @receiver name: (generic_name (identifier) @call)))
(invocation_expression function: (generic_name (identifier) @call))
(object_creation_expression type: (identifier) @call @new)
(object_creation_expression type: (generic_name (identifier) @call @new))

(using_directive (_) @import)
(using_directive !name [(identifier) (qualified_name)] @module)
(using_directive name: (identifier) @alias [(identifier) (qualified_name)] @module)
(file_scoped_namespace_declaration name: (_) @package)

(base_list (_) @base)
(method_declaration returns: (_) @returns)
(parameter type: (_) @type name: (identifier) @bind)
(property_declaration type: (_) @type name: (identifier) @bind)
(foreach_statement type: (_) @type left: (identifier) @bind)
(variable_declaration type: (_) @type (variable_declarator name: (identifier) @bind))
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @bind (_) @value))
