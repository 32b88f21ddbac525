(class_interface . (identifier) @name) @definition.class
(class_implementation . (identifier) @name) @definition.impl
(protocol_declaration . (identifier) @name) @definition.interface
(method_declaration (method_type) . (identifier) @name) @definition.method
(method_definition (method_type) . (identifier) @name) @definition.method
(property_declaration (struct_declaration (struct_declarator (pointer_declarator declarator: (identifier) @name)))) @definition.property
(property_declaration (struct_declaration (struct_declarator (identifier) @name))) @definition.property
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @definition.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @definition.function
(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(type_definition declarator: (type_identifier) @name) @definition.type
(preproc_def name: (identifier) @name value: (_)) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

(comment) @comment

(call_expression function: (identifier) @call)
(message_expression receiver: (_) @receiver method: (identifier) @call)
(declaration type: (_) @type declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @bind)))

(preproc_include path: (_) @import)
