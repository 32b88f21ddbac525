(class_declaration declaration_kind: "class" name: (_) @name) @definition.class
(class_declaration declaration_kind: "actor" name: (_) @name) @definition.class
(class_declaration declaration_kind: "struct" name: (_) @name) @definition.struct
(class_declaration declaration_kind: "enum" name: (_) @name) @definition.enum
(class_declaration declaration_kind: "extension" name: (_) @name) @definition.impl
(protocol_declaration name: (_) @name) @definition.interface
(function_declaration name: (simple_identifier) @name) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(init_declaration name: "init" @name) @definition.constructor
(subscript_declaration "subscript" @name) @definition.method
(typealias_declaration name: (type_identifier) @name) @definition.type
(enum_entry name: (simple_identifier) @name) @definition.field
(source_file (property_declaration name: (pattern (simple_identifier) @name)) @definition.variable)
(class_body (property_declaration name: (pattern (simple_identifier) @name)) @definition.property)
(protocol_property_declaration name: (pattern (simple_identifier) @name)) @definition.property

(comment) @comment
(multiline_comment) @comment

(call_expression (simple_identifier) @call)
(call_expression (navigation_expression target: [(simple_identifier) (self_expression) (super_expression) (navigation_expression) (call_expression)] @receiver suffix: (navigation_suffix suffix: (simple_identifier) @call)))

(inheritance_specifier inherits_from: (_) @base)
(function_declaration (user_type) @returns)
(parameter name: (simple_identifier) @bind (user_type) @type)
(property_declaration name: (pattern bound_identifier: (simple_identifier) @bind) (type_annotation (user_type) @type))
(property_declaration name: (pattern bound_identifier: (simple_identifier) @bind) value: (_) @value)

(import_declaration (identifier) @import)
