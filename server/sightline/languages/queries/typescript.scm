(export_statement declaration: (function_declaration name: (identifier) @name)) @definition.function
(function_declaration name: (identifier) @name) @definition.function
(export_statement declaration: (generator_function_declaration name: (identifier) @name)) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(export_statement declaration: (function_signature name: (identifier) @name)) @definition.function
(function_signature name: (identifier) @name) @definition.function
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
(method_definition name: (_) @name) @definition.method
(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
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
(internal_module body: (statement_block (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name))) @definition.constant))

((expression_statement (call_expression function: (identifier) @_runner arguments: (arguments . [(string) (template_string)] @name))) @definition.test
  (#any-of? @_runner "describe" "it" "test" "suite"))

(comment) @comment
(decorator) @attribute

(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (property_identifier) @call))
(new_expression constructor: (identifier) @call)
(decorator (call_expression function: (identifier) @call))

(import_statement source: (string) @import)
(import_specifier name: (identifier) @import)
(export_statement source: (string) @import)
((call_expression function: (identifier) @_require arguments: (arguments . (string) @import)) (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments . (string) @import))
