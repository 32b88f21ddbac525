(class name: (_) @name) @definition.class
(module name: (_) @name) @definition.module
(method name: (_) @name) @definition.function
(singleton_method name: (_) @name) @definition.method
(program (assignment left: (constant) @name) @definition.constant)
(body_statement (assignment left: (constant) @name) @definition.constant)
((call method: (identifier) @_attr arguments: (argument_list (simple_symbol) @name)) @definition.property
  (#any-of? @_attr "attr_reader" "attr_writer" "attr_accessor"))

(comment) @comment

(call method: (identifier) @call)
(call method: (constant) @call)

((call method: (identifier) @_require arguments: (argument_list . (string) @import))
  (#any-of? @_require "require" "require_relative" "load" "autoload"))
((call method: (identifier) @_include arguments: (argument_list [(constant) (scope_resolution)] @import))
  (#any-of? @_include "include" "extend" "prepend"))
