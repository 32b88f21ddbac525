(function_declaration name: (identifier) @name) @definition.function
(function_declaration name: (dot_index_expression table: (_) @container field: (identifier) @name)) @definition.function
(function_declaration name: (method_index_expression table: (_) @container method: (identifier) @name)) @definition.method
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (function_definition)))) @definition.function
(assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (function_definition))) @definition.function
(assignment_statement (variable_list . name: (dot_index_expression table: (_) @container field: (identifier) @name)) (expression_list . value: (function_definition))) @definition.function
(field name: (identifier) @name value: (function_definition)) @definition.function
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @definition.variable)
(chunk (assignment_statement (variable_list name: (dot_index_expression table: (_) @container field: (identifier) @name))) @definition.field)

(comment) @comment

(function_call name: (identifier) @call)
(function_call name: (dot_index_expression table: (_) @receiver field: (identifier) @call))
(function_call name: (method_index_expression table: (_) @receiver method: (identifier) @call))
((variable_declaration (assignment_statement (variable_list . name: (identifier) @alias) (expression_list . value: (function_call name: (identifier) @_r arguments: (arguments (string) @module)))))
  (#eq? @_r "require"))
(parameters (_) @bind)
(variable_declaration (assignment_statement (variable_list . name: (identifier) @bind) (expression_list . value: (_) @value)))

((function_call name: (identifier) @_require arguments: (arguments (string) @import)) (#eq? @_require "require"))
