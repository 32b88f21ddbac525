(data_type name: (name) @name) @definition.type
(newtype name: (name) @name) @definition.type
(type_synomym name: (name) @name) @definition.type
(class name: (name) @name) @definition.trait
(instance patterns: (type_patterns . (name) @name)) @definition.impl
(instance patterns: (type_patterns . (parens (apply constructor: (name) @name)))) @definition.impl
(declarations (signature name: (variable) @name) @clause.function)
(declarations (function name: (variable) @name) @clause.function)
(declarations (bind name: (variable) @name) @clause.function)
(class_declarations (signature name: (variable) @name) @clause.function)
(class_declarations (function name: (variable) @name) @clause.function)
(instance_declarations (function name: (variable) @name) @clause.function)
(instance_declarations (bind name: (variable) @name) @clause.function)

(comment) @comment
(haddock) @comment
(pragma) @attribute

(apply function: (variable) @call)
(apply function: (qualified module: (_) @receiver id: (variable) @call))

(import module: (module) @import)
