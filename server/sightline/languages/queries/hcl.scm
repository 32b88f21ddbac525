(config_file (body (block . (identifier) @name . (string_lit (template_literal) @name) . (string_lit (template_literal) @name)) @definition.block))
(config_file (body (block . (identifier) @name . (string_lit (template_literal) @name)) @definition.block))
(config_file (body (block . (identifier) @name) @definition.block))
(config_file (body (attribute . (identifier) @name) @definition.variable))

(comment) @comment

(function_call (identifier) @call)

((attribute (identifier) @_source (expression (literal_value (string_lit (template_literal) @import)))) (#eq? @_source "source"))
