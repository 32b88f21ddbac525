(rule_set (selectors) @name) @definition.block
(keyframes_statement (keyframes_name) @name) @definition.block
(media_statement . (_) @name) @definition.block
(mixin_statement name: (identifier) @name) @definition.macro
(function_statement name: (identifier) @name) @definition.function
(stylesheet (declaration . (property_name) @name) @definition.variable)

(comment) @comment
(js_comment) @comment

(call_expression (function_name) @call)
(include_statement (identifier) @call)

(import_statement (string_value) @import)
(use_statement (string_value) @import)
(forward_statement (string_value) @import)
