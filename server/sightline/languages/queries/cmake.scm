(function_def (function_command (argument_list . (argument) @name))) @definition.function
(macro_def (macro_command (argument_list . (argument) @name))) @definition.macro
((normal_command (identifier) @_target (argument_list . (argument) @name)) @definition.block
  (#any-of? @_target "add_library" "add_executable" "add_custom_target" "project" "add_test"))

(line_comment) @comment
(bracket_comment) @comment

(normal_command (identifier) @call)

((normal_command (identifier) @_include (argument_list . (argument) @import))
  (#any-of? @_include "include" "find_package" "add_subdirectory"))
