(function_definition declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)) @definition.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))) @definition.function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)))) @definition.function
(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(type_definition type: (struct_specifier) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier) declarator: (type_identifier) @name) @definition.enum
(type_definition declarator: (type_identifier) @name) @definition.type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @definition.type
(preproc_def name: (identifier) @name value: (_)) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

(declaration declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)) @definition.function
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))) @definition.function
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)
(preproc_ifdef (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)
(translation_unit (declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @definition.variable)
(translation_unit (declaration declarator: (identifier) @name) @definition.variable)

(comment) @comment

(call_expression function: (identifier) @call arguments: (_) @arguments)
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @call) arguments: (_) @arguments)

(preproc_include path: (_) @import @module)
(function_definition (storage_class_specifier) @flag)
(declaration (storage_class_specifier) @flag declarator: (function_declarator))
(declaration declarator: (function_declarator) @declared)
(declaration declarator: (pointer_declarator declarator: (function_declarator) @declared))
(function_definition type: (_) @returns)

(parameter_declaration type: (_) @type declarator: (identifier) @bind)
(parameter_declaration type: (_) @type declarator: (pointer_declarator declarator: (identifier) @bind))
(declaration type: (_) @type declarator: (identifier) @bind)
(declaration type: (_) @type declarator: (pointer_declarator declarator: (identifier) @bind))
(declaration type: (_) @type declarator: (init_declarator declarator: (identifier) @bind))
(declaration type: (_) @type declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @bind)))
(field_declaration type: (_) @type declarator: (field_identifier) @bind)
(field_declaration type: (_) @type declarator: (pointer_declarator declarator: (field_identifier) @bind))
(type_definition type: (_) @base declarator: (type_identifier))
