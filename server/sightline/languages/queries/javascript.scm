(export_statement declaration: (function_declaration name: (identifier) @name)) @definition.function
(function_declaration name: (identifier) @name) @definition.function
(export_statement declaration: (generator_function_declaration name: (identifier) @name)) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(export_statement declaration: (class_declaration name: (_) @name)) @definition.class
(class_declaration name: (_) @name) @definition.class
((method_definition name: (property_identifier) @name) @definition.constructor (#eq? @name "constructor"))
(method_definition name: (_) @name) @definition.method
(field_definition property: (_) @name) @definition.field

(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]))) @definition.function
(lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)])) @definition.function
(variable_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])) @definition.function
(lexical_declaration (variable_declarator name: (identifier) @name value: (class))) @definition.class
(expression_statement (assignment_expression left: (member_expression object: (_) @container property: (property_identifier) @name) right: [(arrow_function) (function_expression)])) @definition.function
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @definition.method

(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name))) @definition.constant)
(program (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.constant)
(program (variable_declaration (variable_declarator name: (identifier) @name)) @definition.variable)

((expression_statement (call_expression function: (identifier) @_runner arguments: (arguments . [(string) (template_string)] @name))) @definition.test
  (#any-of? @_runner "describe" "it" "test" "suite"))

(comment) @comment

(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (property_identifier) @call))
(new_expression constructor: (identifier) @call)

(import_statement source: (string) @import)
(import_specifier name: (identifier) @import)
(export_statement source: (string) @import)
((call_expression function: (identifier) @_require arguments: (arguments . (string) @import)) (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments . (string) @import))
