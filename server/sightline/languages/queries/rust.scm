(function_item name: (identifier) @name parameters: (_) @parameters) @definition.function
(function_signature_item name: (identifier) @name parameters: (_) @parameters) @definition.function
(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name) @definition.struct
(enum_item name: (type_identifier) @name) @definition.enum
(trait_item name: (type_identifier) @name) @definition.trait
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(mod_item name: (identifier) @name) @definition.module
(macro_definition name: (identifier) @name) @definition.macro
(impl_item type: (type_identifier) @name) @definition.impl
(impl_item type: (generic_type type: (type_identifier) @name)) @definition.impl
(impl_item type: (generic_type type: (scoped_type_identifier name: (type_identifier) @name))) @definition.impl
(impl_item type: (scoped_type_identifier name: (type_identifier) @name)) @definition.impl
(impl_item type: (reference_type type: (type_identifier) @name)) @definition.impl
(impl_item type: (reference_type type: (generic_type type: (type_identifier) @name))) @definition.impl
(impl_item type: (primitive_type) @name) @definition.impl
(struct_item body: (field_declaration_list (field_declaration name: (field_identifier) @name) @definition.field))
(enum_variant name: (identifier) @name) @definition.field

(source_file (const_item name: (identifier) @name) @definition.constant)
(declaration_list (const_item name: (identifier) @name) @definition.constant)
(source_file (static_item name: (identifier) @name) @definition.variable)
(declaration_list (static_item name: (identifier) @name) @definition.variable)

(line_comment) @comment
(block_comment) @comment
(attribute_item) @attribute

(call_expression function: (identifier) @call arguments: (_) @arguments)
(call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @call) arguments: (_) @arguments)
(call_expression function: (scoped_identifier path: (_) @receiver name: (identifier) @call) arguments: (_) @arguments)
(call_expression function: (generic_function function: (identifier) @call) arguments: (_) @arguments)
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @call)) arguments: (_) @arguments)
(call_expression function: (generic_function function: (scoped_identifier path: (_) @receiver name: (identifier) @call)) arguments: (_) @arguments)
(macro_invocation macro: (identifier) @call)
(macro_invocation macro: (scoped_identifier path: (_) @receiver name: (identifier) @call))

(use_declaration argument: (_) @use)
(impl_item trait: (_) @base)
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @base))
(type_item type: (_) @base)
(function_item return_type: (_) @returns)
(function_signature_item return_type: (_) @returns)
(parameter pattern: (identifier) @bind type: (_) @type)
(parameter pattern: (mut_pattern (identifier) @bind) type: (_) @type)
(closure_parameters (identifier) @bind)
(let_declaration pattern: (identifier) @bind type: (_) @type)
(let_declaration pattern: (identifier) @bind value: (_) @value)
(let_declaration pattern: (mut_pattern (identifier) @bind) value: (_) @value)
(let_declaration pattern: (tuple_struct_pattern type: (_) . (identifier) @bind) value: (_) @value)
(let_declaration pattern: (tuple_pattern (identifier) @bind))
(let_condition pattern: (tuple_struct_pattern type: (_) . (identifier) @bind) value: (_) @value)
(match_pattern (tuple_struct_pattern (identifier) @bind .))
(for_expression pattern: (identifier) @bind value: (_) @each)
(field_declaration name: (field_identifier) @bind type: (_) @type)
(const_item name: (identifier) @bind type: (_) @type)
(static_item name: (identifier) @bind type: (_) @type)

(use_declaration argument: [(identifier) (scoped_identifier)] @import)
(scoped_use_list path: (_) @import)
(use_list [(identifier) (scoped_identifier)] @import)
(use_as_clause path: (_) @import)
(use_wildcard (_) @import)
(extern_crate_declaration name: (identifier) @import)
