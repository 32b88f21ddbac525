(type_alias_declaration name: (upper_case_identifier) @name) @definition.type
(type_declaration name: (upper_case_identifier) @name) @definition.type
(type_annotation name: (lower_case_identifier) @name) @clause.function
(value_declaration functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name)) @clause.function

(line_comment) @comment
(block_comment) @comment

(function_call_expr target: (value_expr name: (value_qid . (lower_case_identifier) @call)))
(function_call_expr target: (value_expr name: (value_qid (upper_case_identifier) @receiver (lower_case_identifier) @call)))

(import_clause moduleName: (upper_case_qid) @import)
