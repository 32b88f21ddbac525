(unit (moduleName) @name) @definition.module
(program (moduleName) @name) @definition.module
(declType name: (identifier) @name type: (declClass)) @definition.class
(declType name: (identifier) @name type: (declIntf)) @definition.interface
(declType name: (identifier) @name) @definition.type
(declConst name: (identifier) @name) @definition.constant
(defProc header: (declProc name: (identifier) @name)) @definition.function
(defProc header: (declProc name: (genericDot lhs: (identifier) @container rhs: (identifier) @name))) @definition.method
(declProc name: (identifier) @name) @definition.function
(declProp name: (identifier) @name) @definition.property
(declField name: (identifier) @name) @definition.field

(comment) @comment

(exprCall entity: (identifier) @call)
(exprCall entity: (exprDot lhs: (_) @receiver rhs: (identifier) @call))

(declUses (moduleName) @import)
