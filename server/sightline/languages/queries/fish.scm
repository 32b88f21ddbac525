(function_definition name: (word) @name) @definition.function

(comment) @comment

(command name: (word) @call)

((command name: (word) @_source argument: (_) @import) (#eq? @_source "source"))
