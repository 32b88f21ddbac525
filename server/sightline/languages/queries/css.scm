(rule_set (selectors) @name) @definition.block
(keyframes_statement (keyframes_name) @name) @definition.block
(media_statement . (_) @name) @definition.block

(comment) @comment

(call_expression (function_name) @call)

(import_statement (string_value) @import)
(import_statement (call_expression (arguments (string_value) @import)))
