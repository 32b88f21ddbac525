((call target: (identifier) @_def (arguments . (alias) @name)) @definition.module
  (#any-of? @_def "defmodule" "defprotocol"))
((call target: (identifier) @_def (arguments . (alias) @name)) @definition.impl (#eq? @_def "defimpl"))
((call target: (identifier) @_def (arguments . (call target: (identifier) @name))) @clause.function
  (#any-of? @_def "def" "defp" "defdelegate"))
((call target: (identifier) @_def (arguments . (identifier) @name)) @clause.function
  (#any-of? @_def "def" "defp" "defdelegate"))
((call target: (identifier) @_def (arguments . (binary_operator left: (call target: (identifier) @name) operator: "when"))) @clause.function
  (#any-of? @_def "def" "defp"))
((call target: (identifier) @_def (arguments . (call target: (identifier) @name))) @clause.macro
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp"))
((call target: (identifier) @_def (arguments . (identifier) @name)) @clause.macro
  (#any-of? @_def "defmacro" "defmacrop"))
((call target: (identifier) @_def (arguments . (binary_operator left: (call target: (identifier) @name) operator: "when"))) @clause.macro
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp"))
((call target: (identifier) @_test (arguments . (string) @name)) @definition.test (#any-of? @_test "test" "describe"))

(comment) @comment
((unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments . (string)))) @doc
  (#any-of? @_doc "doc" "moduledoc" "typedoc"))
(unary_operator operator: "@" operand: (call target: (identifier) @_attribute)) @attribute

((call target: (identifier) @call) (#not-match? @call "^(def.*|use|alias|import|require|doc|moduledoc|spec|type)$"))
(call target: (dot left: (_) @receiver right: (identifier) @call))

((call target: (identifier) @_use (arguments . (alias) @import)) (#any-of? @_use "use" "alias" "import" "require"))
