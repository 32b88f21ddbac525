(module_definition name: (identifier) @name) @definition.module
(struct_definition (type_head (identifier) @name)) @definition.struct
(struct_definition (type_head (binary_expression . (identifier) @name))) @definition.struct
(struct_definition (type_head (parametrized_type_expression . (identifier) @name))) @definition.struct
(struct_definition (type_head (binary_expression . (parametrized_type_expression . (identifier) @name)))) @definition.struct
(abstract_definition (type_head (identifier) @name)) @definition.type
(abstract_definition (type_head (binary_expression . (identifier) @name))) @definition.type
(function_definition (signature (call_expression . (identifier) @name))) @definition.function
(function_definition (signature (call_expression . (field_expression (identifier) @name .)))) @definition.function
(function_definition (signature (typed_expression . (call_expression . (identifier) @name)))) @definition.function
(function_definition (signature (where_expression . (call_expression . (identifier) @name)))) @definition.function
(assignment . (call_expression . (identifier) @name)) @definition.function
(macro_definition (signature (call_expression . (identifier) @name))) @definition.macro
(const_statement (assignment . (identifier) @name)) @definition.constant

(line_comment) @comment
(block_comment) @comment
(source_file (string_literal) @doc)
(module_definition (block (string_literal) @doc))

(call_expression . (identifier) @call)
(call_expression . (field_expression value: (_) @receiver (identifier) @call .))
(macrocall_expression (macro_identifier (identifier) @call))

(using_statement (_) @import)
(import_statement (_) @import)
