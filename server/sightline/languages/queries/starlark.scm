(function_definition name: (identifier) @name) @definition.function
(module (expression_statement (assignment left: (identifier) @name)) @definition.constant)
((module (expression_statement (call arguments: (argument_list (keyword_argument name: (identifier) @_name value: (string) @name)))) @definition.block)
  (#eq? @_name "name"))

(module . (expression_statement (string) @doc))
(block . (expression_statement (string) @doc))
(comment) @comment

(call function: (identifier) @call)
(call function: (attribute object: (_) @receiver attribute: (identifier) @call))

((call function: (identifier) @_load arguments: (argument_list . (string) @import)) (#eq? @_load "load"))
