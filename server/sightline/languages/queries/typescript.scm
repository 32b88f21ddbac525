(export_statement declaration: (function_declaration name: (identifier) @name)) @definition.function
(function_declaration name: (identifier) @name parameters: (_) @parameters) @definition.function
(export_statement declaration: (generator_function_declaration name: (identifier) @name)) @definition.function
(generator_function_declaration name: (identifier) @name parameters: (_) @parameters) @definition.function
(export_statement declaration: (function_signature name: (identifier) @name)) @definition.function
(function_signature name: (identifier) @name parameters: (_) @parameters) @definition.function
(export_statement declaration: (class_declaration name: (_) @name)) @definition.class
(class_declaration name: (_) @name) @definition.class
(export_statement declaration: (abstract_class_declaration name: (_) @name)) @definition.class
(abstract_class_declaration name: (_) @name) @definition.class
(export_statement declaration: (interface_declaration name: (_) @name)) @definition.interface
(interface_declaration name: (_) @name) @definition.interface
(export_statement declaration: (type_alias_declaration name: (_) @name)) @definition.type
(type_alias_declaration name: (_) @name) @definition.type
(export_statement declaration: (enum_declaration name: (_) @name)) @definition.enum
(enum_declaration name: (_) @name) @definition.enum
(export_statement declaration: (internal_module name: (_) @name)) @definition.namespace
(internal_module name: (_) @name) @definition.namespace
(ambient_declaration (module name: (_) @name)) @definition.module

((method_definition name: (property_identifier) @name) @definition.constructor (#eq? @name "constructor"))
(method_definition name: (_) @name parameters: (_) @parameters) @definition.method
(method_signature name: (_) @name parameters: (_) @parameters) @definition.method
(abstract_method_signature name: (_) @name parameters: (_) @parameters) @definition.method
(public_field_definition name: (_) @name value: (arrow_function)) @definition.method
(public_field_definition name: (_) @name) @definition.field
(interface_body (property_signature name: (_) @name) @definition.property)

(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]))) @definition.function
(lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)])) @definition.function
(lexical_declaration (variable_declarator name: (identifier) @name value: (class))) @definition.class
(expression_statement (assignment_expression left: (member_expression object: (_) @container property: (property_identifier) @name) right: [(arrow_function) (function_expression)])) @definition.function
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @definition.method

(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name))) @definition.constant)
(program (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.constant)
(program (variable_declaration (variable_declarator name: (identifier) @name)) @definition.variable)
; Classes that a function makes, kept in an object: `const errors = { NotFound: createError(404) }`.
((program (lexical_declaration (variable_declarator value: (object (pair key: (property_identifier) @name value: (call_expression)) @definition.constant))))
  (#match? @name "^[A-Z]"))
(internal_module body: (statement_block (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name))) @definition.constant))

((expression_statement (call_expression function: (identifier) @_runner arguments: (arguments . [(string) (template_string)] @name))) @definition.test
  (#any-of? @_runner "describe" "it" "test" "suite"))

(comment) @comment
(decorator) @attribute

(call_expression function: (identifier) @call arguments: (_) @arguments)
(call_expression function: (member_expression object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @call) arguments: (_) @arguments)
(new_expression constructor: (identifier) @call @new)
(new_expression constructor: (member_expression object: (_) @receiver property: (property_identifier) @call @new))

(import_statement source: (string) @import)
(import_statement (import_clause (identifier) @alias) source: (string) @module)
(import_statement (import_clause (namespace_import (identifier) @alias)) source: (string) @module)
(import_statement (import_clause (named_imports (import_specifier !alias name: (identifier) @import @member))) source: (string) @module)
(import_statement (import_clause (named_imports (import_specifier name: (identifier) @import @member alias: (identifier) @alias))) source: (string) @module)
(export_statement source: (string) @import)
(export_statement "*" @member source: (string) @module)
(export_statement (export_clause (export_specifier !alias name: (identifier) @member)) source: (string) @module)
(export_statement (export_clause (export_specifier name: (identifier) @member alias: (identifier) @alias)) source: (string) @module)
(export_statement (namespace_export (identifier) @alias) source: (string) @module)
(export_statement !source (export_clause (export_specifier name: (identifier) @value alias: (identifier) @bind)))
(export_statement "default" @bind value: (_) @value)
(export_statement "default" @bind declaration: (_ name: (_) @value))
((call_expression function: (identifier) @_require arguments: (arguments . (string) @import)) (#eq? @_require "require"))
((variable_declarator name: (identifier) @alias value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module))) (#eq? @_require "require"))
((variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @member) value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module))) (#eq? @_require "require"))
((variable_declarator name: (object_pattern (pair_pattern key: (property_identifier) @member value: (identifier) @alias)) value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module))) (#eq? @_require "require"))
((variable_declarator name: (identifier) @alias value: (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module)) property: (property_identifier) @member)) (#eq? @_require "require"))
((assignment_expression left: (member_expression) @alias right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module))) (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments . (string) @import))

(variable_declarator name: (identifier) @bind value: (_) @value)
(variable_declarator name: (identifier) @bind !value)
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @bind))
(variable_declarator name: (array_pattern (identifier) @bind))
(assignment_expression left: (identifier) @bind right: (_) @value)
(assignment_expression left: (member_expression object: [(this) (identifier)]) @bind right: [(identifier) (member_expression) (call_expression) (new_expression) (await_expression)] @value)
(for_in_statement left: (identifier) @bind right: (_) @each)
(arrow_function parameter: (identifier) @bind)
(catch_clause parameter: (identifier) @bind)
(return_statement [(identifier) (member_expression) (call_expression) (new_expression) (await_expression) (this)] @return)
(variable_declarator name: (identifier) @bind type: (type_annotation (_) @type))
(required_parameter pattern: (identifier) @bind !type)
(required_parameter pattern: (identifier) @bind type: (type_annotation (_) @type))
(required_parameter (accessibility_modifier) @field pattern: (identifier) @bind type: (type_annotation (_) @type))
(required_parameter pattern: (rest_pattern (identifier) @bind))
(required_parameter pattern: (object_pattern (shorthand_property_identifier_pattern) @bind))
(optional_parameter pattern: (identifier) @bind !type)
(optional_parameter pattern: (identifier) @bind type: (type_annotation (_) @type))
(public_field_definition name: (property_identifier) @bind type: (type_annotation (_) @type))
(public_field_definition name: (property_identifier) @bind value: (_) @value)
(property_signature name: (property_identifier) @bind type: (type_annotation (_) @type))
(function_declaration return_type: (type_annotation (_) @returns))
(function_signature return_type: (type_annotation (_) @returns))
(method_definition return_type: (type_annotation (_) @returns))
(method_signature return_type: (type_annotation (_) @returns))
(abstract_method_signature return_type: (type_annotation (_) @returns))
(arrow_function return_type: (type_annotation (_) @returns))
(extends_clause value: (_) @base)
(implements_clause (_) @base)
(extends_type_clause (_) @base)
(type_alias_declaration value: (_) @base)
