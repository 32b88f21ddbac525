(module_definition (module_binding (module_name) @name)) @definition.module
(module_type_definition (module_type_name) @name) @definition.interface
(type_definition (type_binding name: (_) @name)) @definition.type
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type
(class_definition (class_binding (class_name) @name)) @definition.class
(value_specification (value_name) @name) @definition.function
(external (value_name) @name) @definition.function

(comment) @comment

(open_module module: (_) @import)
(include_module_type) @import
