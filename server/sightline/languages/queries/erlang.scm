(fun_decl clause: (function_clause name: (atom) @name)) @clause.function
(record_decl name: (atom) @name) @definition.struct
(type_alias name: (type_name name: (atom) @name)) @definition.type
(pp_define lhs: (macro_lhs name: (_) @name)) @definition.macro

(comment) @comment
(spec) @attribute

(call expr: (atom) @call)
(call expr: (remote module: (remote_module module: (atom) @receiver) fun: (atom) @call))

(pp_include file: (string) @import)
(pp_include_lib file: (string) @import)
(import_attribute module: (atom) @import)
