((rule (targets . (word) @name)) @definition.function (#not-match? @name "^\\."))
(variable_assignment name: (word) @name) @definition.variable
(define_directive name: (word) @name) @definition.macro

(comment) @comment

(rule normal: (prerequisites (word) @call))
(function_call function: (_) @call)

(include_directive filenames: (list (word) @import))
