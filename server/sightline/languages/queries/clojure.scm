((list_lit . value: (sym_lit name: (sym_name) @_def) . value: (sym_lit name: (sym_name) @name)) @definition.function
  (#any-of? @_def "defn" "defn-" "defmulti" "defmethod"))
((list_lit . value: (sym_lit name: (sym_name) @_def) . value: (sym_lit name: (sym_name) @name)) @definition.macro
  (#eq? @_def "defmacro"))
((list_lit . value: (sym_lit name: (sym_name) @_def) . value: (sym_lit name: (sym_name) @name)) @definition.interface
  (#any-of? @_def "defprotocol" "definterface"))
((list_lit . value: (sym_lit name: (sym_name) @_def) . value: (sym_lit name: (sym_name) @name)) @definition.struct
  (#any-of? @_def "defrecord" "deftype" "defstruct"))
((list_lit . value: (sym_lit name: (sym_name) @_def) . value: (sym_lit name: (sym_name) @name)) @definition.constant
  (#any-of? @_def "def" "defonce"))
((list_lit . value: (sym_lit name: (sym_name) @_def) . value: (sym_lit name: (sym_name) @name)) @definition.test
  (#eq? @_def "deftest"))

(comment) @comment
((list_lit . value: (sym_lit name: (sym_name) @_def) . value: (sym_lit) . value: (str_lit) @doc)
  (#any-of? @_def "defn" "defn-" "defmacro" "defprotocol"))

(list_lit . value: (sym_lit name: (sym_name) @call))

((list_lit . value: (kwd_lit name: (kwd_name) @_require) value: (vec_lit . value: (sym_lit name: (sym_name) @import)))
  (#any-of? @_require "require" "use" "import"))
