(object_type_definition (name) @name) @definition.class
(object_type_extension (name) @name) @definition.impl
(interface_type_definition (name) @name) @definition.interface
(enum_type_definition (name) @name) @definition.enum
(input_object_type_definition (name) @name) @definition.struct
(union_type_definition (name) @name) @definition.type
(scalar_type_definition (name) @name) @definition.type
(directive_definition (name) @name) @definition.macro
(operation_definition (name) @name) @definition.function
(fragment_definition (fragment_name (name) @name)) @definition.function
(field_definition (name) @name) @definition.field

(comment) @comment
(description) @doc

(fragment_spread (fragment_name (name) @call))
