(module_definition (module_binding (module_name) @name)) @definition.module
(module_type_definition (module_type_name) @name) @definition.interface
(type_definition (type_binding name: (_) @name)) @definition.type
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type
(class_definition (class_binding (class_name) @name)) @definition.class
(method_definition (method_name) @name) @definition.method
(compilation_unit (value_definition (let_binding pattern: (value_name) @name (parameter))) @definition.function)
(structure (value_definition (let_binding pattern: (value_name) @name (parameter))) @definition.function)
(compilation_unit (value_definition (let_binding pattern: (value_name) @name body: (fun_expression))) @definition.function)
(compilation_unit (value_definition (let_binding pattern: (value_name) @name body: (function_expression))) @definition.function)
(compilation_unit (value_definition (let_binding pattern: (value_name) @name)) @definition.constant)
(structure (value_definition (let_binding pattern: (value_name) @name)) @definition.constant)
(value_specification (value_name) @name) @definition.function
(external (value_name) @name) @definition.function

(comment) @comment

(application_expression function: (value_path . (value_name) @call))
(application_expression function: (value_path (module_path) @receiver (value_name) @call))

(open_module module: (_) @import)
(include_module module: (_) @import)
