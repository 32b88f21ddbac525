(function_definition name: (word) @name) @definition.function
(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable)
((command name: (command_name) @_alias argument: (concatenation . (word) @name)) @definition.function (#eq? @_alias "alias"))

(comment) @comment

(command name: (command_name (word) @call))

((command name: (command_name) @_source argument: (_) @import) (#any-of? @_source "source" "." "load"))
