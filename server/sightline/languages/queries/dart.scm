(class_definition name: (identifier) @name) @definition.class
(mixin_declaration (identifier) @name) @definition.trait
(enum_declaration name: (identifier) @name) @definition.enum
(enum_constant name: (identifier) @name) @definition.field
(extension_declaration name: (identifier) @name) @definition.impl
(type_alias (type_identifier) @name) @definition.type

((method_signature (function_signature name: (identifier) @name)) @definition.method . (function_body) @body)
((method_signature (getter_signature name: (identifier) @name)) @definition.property . (function_body) @body)
((method_signature (setter_signature name: (identifier) @name)) @definition.property . (function_body) @body)
((method_signature (constructor_signature . name: (identifier) @name)) @definition.constructor . (function_body) @body)
((method_signature (factory_constructor_signature (identifier) @name)) @definition.constructor . (function_body) @body)
((function_signature name: (identifier) @name) @definition.function . (function_body) @body)
(declaration (function_signature name: (identifier) @name)) @definition.method
(declaration (constructor_signature . name: (identifier) @name)) @definition.constructor
(declaration (initialized_identifier_list (initialized_identifier (identifier) @name))) @definition.field
(program (static_final_declaration_list (static_final_declaration . (identifier) @name)) @definition.constant)

(comment) @comment
(documentation_comment) @comment
(annotation) @attribute
(program (const_builtin) @attribute)
(program (final_builtin) @attribute)

((identifier) @call . (selector (argument_part)))
((_) @receiver . (selector (unconditional_assignable_selector (identifier) @call)) . (selector (argument_part)))

(superclass (type_identifier) @base)
(formal_parameter (type_identifier) @type name: (identifier) @bind)
(declaration (type_identifier) @type (initialized_identifier_list (initialized_identifier (identifier) @bind)))

(import_specification (configurable_uri) @import)
(library_export (configurable_uri) @import)
