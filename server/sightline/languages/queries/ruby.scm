(class name: (_) @name) @definition.class
(module name: (_) @name) @definition.module
(method name: (_) @name) @definition.function
(singleton_method name: (_) @name) @definition.method
(program (assignment left: (constant) @name) @definition.constant)
(body_statement (assignment left: (constant) @name) @definition.constant)
((call method: (identifier) @_attr arguments: (argument_list (simple_symbol) @name)) @definition.property
  (#any-of? @_attr "attr_reader" "attr_writer" "attr_accessor"))

(comment) @comment

(call !receiver method: (identifier) @call)
(call receiver: (_) @receiver method: (identifier) @call)
(call receiver: (_) @receiver method: (constant) @call)

((call method: (identifier) @_require arguments: (argument_list . (string) @import))
  (#any-of? @_require "require" "require_relative" "load" "autoload"))
((call method: (identifier) @_include arguments: (argument_list [(constant) (scope_resolution)] @import))
  (#any-of? @_include "include" "extend" "prepend"))

(superclass (_) @base)
((call method: (identifier) @_include arguments: (argument_list [(constant) (scope_resolution)] @base))
  (#any-of? @_include "include" "extend" "prepend"))
(method_parameters (identifier) @bind)
(method_parameters (optional_parameter name: (identifier) @bind))
(method_parameters (keyword_parameter name: (identifier) @bind))
(block_parameters (identifier) @bind)
(assignment left: [(identifier) (instance_variable)] @bind right: (_) @value)
(operator_assignment left: [(identifier) (instance_variable)] @bind right: (_) @value)
