(class_declaration "interface" (type_identifier) @name) @definition.interface
(class_declaration "enum" (type_identifier) @name) @definition.enum
(class_declaration (type_identifier) @name) @definition.class
(object_declaration (type_identifier) @name) @definition.object
(companion_object "companion" @name) @definition.object
(function_declaration (simple_identifier) @name) @definition.function
(secondary_constructor "constructor" @name) @definition.constructor
(type_alias (type_identifier) @name) @definition.type
(enum_entry (simple_identifier) @name) @definition.field
(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @definition.variable)
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @definition.property)
(class_parameter (simple_identifier) @name) @definition.property

(line_comment) @comment
(multiline_comment) @comment

(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression . (_) @receiver (navigation_suffix (simple_identifier) @call) .))

(import_header (identifier) @import)
(import_header (identifier) @module .)
(import_header (identifier) @module (import_alias (type_identifier) @alias))
(import_header (identifier) @module (wildcard_import) @member)
(package_header (identifier) @package)

(delegation_specifier (constructor_invocation (user_type) @base))
(delegation_specifier (user_type) @base)
(function_declaration (function_value_parameters) . [(user_type) (nullable_type)] @returns)
(parameter (simple_identifier) @bind . [(user_type) (nullable_type)] @type)
(class_parameter (simple_identifier) @bind . [(user_type) (nullable_type)] @type)
(variable_declaration (simple_identifier) @bind . [(user_type) (nullable_type)] @type)
(property_declaration (variable_declaration (simple_identifier) @bind .) [(call_expression) (navigation_expression) (simple_identifier)] @value)
(for_statement (variable_declaration (simple_identifier) @bind .) . (_) @each)
