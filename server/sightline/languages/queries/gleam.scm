(function name: (identifier) @name) @definition.function
(type_definition (type_name name: (type_identifier) @name)) @definition.type
(type_alias (type_name name: (type_identifier) @name)) @definition.type
(constant name: (identifier) @name) @definition.constant

(statement_comment) @comment
(module_comment) @comment
(comment) @comment

(function_call function: (identifier) @call)
(function_call function: (field_access record: (_) @receiver field: (label) @call))

(import module: (module) @import)
