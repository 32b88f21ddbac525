(template_declaration (function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier)] @name parameters: (_) @parameters))) @definition.function
(template_declaration (class_specifier name: (type_identifier) @name body: (_))) @definition.class
(template_declaration (struct_specifier name: (type_identifier) @name body: (_))) @definition.struct
(template_declaration (alias_declaration name: (type_identifier) @name)) @definition.type
(function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name parameters: (_) @parameters)) @definition.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier)] @name parameters: (_) @parameters))) @definition.function
(function_definition declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name parameters: (_) @parameters))) @definition.function
(function_definition declarator: (operator_cast) @name) @definition.function

(function_definition declarator: (function_declarator declarator: (qualified_identifier scope: (_) @container name: [(identifier) (destructor_name) (operator_name)] @name) parameters: (_) @parameters)) @definition.method
(function_definition declarator: (function_declarator declarator: (qualified_identifier scope: (_) @container name: (qualified_identifier scope: (_) @container name: [(identifier) (destructor_name) (operator_name)] @name)) parameters: (_) @parameters)) @definition.method
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier scope: (_) @container name: (identifier) @name) parameters: (_) @parameters))) @definition.method
(function_definition declarator: (reference_declarator (function_declarator declarator: (qualified_identifier scope: (_) @container name: [(identifier) (operator_name)] @name) parameters: (_) @parameters))) @definition.method
(template_declaration (function_definition declarator: (function_declarator declarator: (qualified_identifier scope: (_) @container name: [(identifier) (destructor_name) (operator_name)] @name) parameters: (_) @parameters))) @definition.method

(class_specifier name: (type_identifier) @name body: (_)) @definition.class
(class_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.class
(class_specifier name: (qualified_identifier name: (type_identifier) @name) body: (_)) @definition.class
(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.struct
(struct_specifier name: (qualified_identifier name: (type_identifier) @name) body: (_)) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(namespace_definition name: (_) @name) @definition.namespace
(concept_definition name: (identifier) @name) @definition.interface
(type_definition declarator: (type_identifier) @name) @definition.type
(alias_declaration name: (type_identifier) @name) @definition.type
(preproc_def name: (identifier) @name value: (_)) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

(field_declaration declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name parameters: (_) @parameters)) @definition.method
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name parameters: (_) @parameters))) @definition.method
(field_declaration declarator: (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name parameters: (_) @parameters))) @definition.method
(field_declaration declarator: (field_identifier) @name) @definition.field
(declaration declarator: (function_declarator declarator: [(identifier) (destructor_name) (operator_name)] @name parameters: (_) @parameters)) @definition.function
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))) @definition.function
(declaration declarator: (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name parameters: (_) @parameters))) @definition.function
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)
(preproc_ifdef (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)
(namespace_definition body: (declaration_list (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable))
(namespace_definition body: (declaration_list (declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @definition.variable))

(comment) @comment

(call_expression function: (identifier) @call arguments: (_) @arguments)
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @call) arguments: (_) @arguments)
(call_expression function: (field_expression argument: (_) @receiver field: (template_method name: (field_identifier) @call)) arguments: (_) @arguments)
(call_expression function: (qualified_identifier scope: (_) @receiver name: (identifier) @call) arguments: (_) @arguments)
(call_expression function: (qualified_identifier scope: (_) @receiver name: (qualified_identifier scope: (_) @receiver name: (identifier) @call)) arguments: (_) @arguments)
(call_expression function: (template_function name: (identifier) @call) arguments: (_) @arguments)
(call_expression function: (qualified_identifier scope: (_) @receiver name: (template_function name: (identifier) @call)) arguments: (_) @arguments)
(new_expression type: (type_identifier) @call @new)

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
(field_declaration declarator: (function_declarator) @declared)
(field_declaration declarator: (pointer_declarator declarator: (function_declarator) @declared))
(field_declaration declarator: (reference_declarator (function_declarator) @declared))
(declaration declarator: (reference_declarator (function_declarator) @declared))
(field_declaration type: (_) @returns declarator: (function_declarator))
(field_declaration type: (_) @returns declarator: (pointer_declarator declarator: (function_declarator)))
(field_declaration type: (_) @type declarator: (reference_declarator (field_identifier) @bind))
(parameter_declaration type: (_) @type declarator: (reference_declarator (identifier) @bind))
(optional_parameter_declaration type: (_) @type declarator: (identifier) @bind)
(declaration type: (_) @type declarator: (init_declarator declarator: (reference_declarator (identifier) @bind)))
(declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: (identifier) @bind value: (_) @value))
(declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: (reference_declarator (identifier) @bind) value: (_) @value))
(declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @bind) value: (_) @value))
(for_range_loop type: (_) @type declarator: (identifier) @bind)
(for_range_loop type: (placeholder_type_specifier) declarator: [(identifier) @bind (reference_declarator (identifier) @bind)] right: (_) @each)
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)
(alias_declaration type: (_) @base)
(using_declaration (qualified_identifier) @import)
