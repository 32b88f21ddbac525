(package_statement name: (package) @name) @section.module
(subroutine_declaration_statement name: (bareword) @name) @definition.function
(method_declaration_statement name: (bareword) @name) @definition.method
(source_file (expression_statement (assignment_expression left: (variable_declaration variable: (scalar (varname) @name)))) @definition.variable)

(comment) @comment
(pod) @comment

(function_call_expression function: (function) @call)
(ambiguous_function_call_expression function: (function) @call)
(method_call_expression invocant: (_) @receiver method: (method) @call)

(use_statement module: (package) @import)
(require_expression (bareword) @import)
