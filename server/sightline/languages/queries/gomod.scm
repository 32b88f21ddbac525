(module_directive (module_path) @name @package) @definition.module
(comment) @comment
(require_spec (module_path) @import)
