(module (module_statement (name) @name)) @definition.module
(submodule (submodule_statement (name) @name)) @definition.module
(program (program_statement (name) @name)) @definition.module
(function (function_statement name: (name) @name)) @definition.function
(subroutine (subroutine_statement name: (name) @name)) @definition.function
(derived_type_definition (derived_type_statement (type_name) @name)) @definition.struct
(interface (interface_statement (name) @name)) @definition.interface

(comment) @comment

(call_expression . (identifier) @call)
(subroutine_call subroutine: (identifier) @call)

(use_statement (module_name) @import)
(include_statement (filename) @import)
