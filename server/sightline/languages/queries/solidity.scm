(contract_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(library_declaration name: (identifier) @name) @definition.module
(function_definition name: (identifier) @name) @definition.function
(modifier_definition name: (identifier) @name) @definition.method
(constructor_definition "constructor" @name) @definition.constructor
(event_definition name: (identifier) @name) @definition.type
(error_declaration name: (identifier) @name) @definition.type
(struct_declaration name: (identifier) @name) @definition.struct
(enum_declaration name: (identifier) @name) @definition.enum
(state_variable_declaration name: (identifier) @name) @definition.field
(constant_variable_declaration name: (identifier) @name) @definition.constant

(comment) @comment

(call_expression function: (expression (identifier) @call))
(call_expression function: (expression (member_expression object: (_) @receiver property: (identifier) @call)))
(inheritance_specifier ancestor: (_) @base)
(state_variable_declaration type: (_) @type name: (identifier) @bind)
(parameter type: (_) @type name: (identifier) @bind)
(emit_statement name: (expression (identifier) @call))

(import_directive source: (string) @import)
(import_directive import_name: (identifier) @import)
