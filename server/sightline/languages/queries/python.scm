(decorated_definition definition: (class_definition name: (identifier) @name)) @definition.class
(class_definition name: (identifier) @name) @definition.class
(decorated_definition definition: (function_definition name: (identifier) @name)) @definition.function
(function_definition name: (identifier) @name) @definition.function

(module (assignment left: (identifier) @name) @definition.constant)
(module (type_alias_statement left: (type) @name) @definition.type)
(class_definition body: (block (assignment left: (identifier) @name) @definition.field))

(module . (string) @doc)
(block . (string) @doc)
(comment) @comment

(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(decorator (identifier) @call)
(decorator (attribute attribute: (identifier) @call))

(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import))
(import_from_statement module_name: (_) @import)
(import_from_statement name: (dotted_name) @import)
(import_from_statement name: (aliased_import name: (dotted_name) @import))
