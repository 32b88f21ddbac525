(statement (create_table (object_reference name: (identifier) @name))) @definition.struct
(statement (create_view (object_reference name: (identifier) @name))) @definition.struct
(statement (create_materialized_view (object_reference name: (identifier) @name))) @definition.struct
(statement (create_function (object_reference name: (identifier) @name))) @definition.function
(statement (create_trigger (object_reference name: (identifier) @name))) @definition.function
(statement (create_type (object_reference name: (identifier) @name))) @definition.type
(statement (create_schema (identifier) @name)) @definition.namespace
(statement (create_index column: (identifier) @name)) @definition.property
(column_definition name: (identifier) @name) @definition.field

(comment) @comment
(marginalia) @comment

(relation (object_reference name: (identifier) @call))
(insert (object_reference name: (identifier) @call))
(invocation (object_reference name: (identifier) @call))
