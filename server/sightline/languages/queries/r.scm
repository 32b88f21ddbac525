(binary_operator lhs: (identifier) @name operator: ["<-" "=" "<<-"] rhs: (function_definition)) @definition.function
(binary_operator lhs: (string) @name operator: ["<-" "=" "<<-"] rhs: (function_definition)) @definition.function
(program (binary_operator lhs: (identifier) @name operator: ["<-" "=" "<<-"]) @definition.variable)
((call function: (identifier) @_class arguments: (arguments . argument: (argument value: (string) @name))) @definition.class
  (#any-of? @_class "setClass" "R6Class" "setRefClass"))
((call function: (identifier) @_generic arguments: (arguments . argument: (argument value: (string) @name))) @definition.method
  (#any-of? @_generic "setGeneric" "setMethod" "setValidity"))
((call function: (identifier) @_test arguments: (arguments . argument: (argument value: (string) @name))) @definition.test
  (#any-of? @_test "test_that" "describe"))

(comment) @comment

(call function: (identifier) @call)
(call function: (namespace_operator lhs: (_) @receiver rhs: (identifier) @call))
(call function: (extract_operator lhs: (_) @receiver rhs: (identifier) @call))

((call function: (identifier) @_library arguments: (arguments . argument: (argument value: (_) @import)))
  (#any-of? @_library "library" "require" "source" "requireNamespace" "import"))
