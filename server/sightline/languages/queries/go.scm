(function_declaration name: (identifier) @name parameters: (_) @parameters) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: (type_identifier) @container)) name: (field_identifier) @name parameters: (_) @parameters) @definition.method
(method_declaration receiver: (parameter_list (parameter_declaration type: (pointer_type (type_identifier) @container))) name: (field_identifier) @name parameters: (_) @parameters) @definition.method
(method_declaration receiver: (parameter_list (parameter_declaration type: (generic_type type: (type_identifier) @container))) name: (field_identifier) @name parameters: (_) @parameters) @definition.method
(method_declaration receiver: (parameter_list (parameter_declaration type: (pointer_type (generic_type type: (type_identifier) @container)))) name: (field_identifier) @name parameters: (_) @parameters) @definition.method

(type_declaration . (type_spec name: (type_identifier) @name type: (struct_type)) .) @definition.struct
(type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct
(type_declaration . (type_spec name: (type_identifier) @name type: (interface_type)) .) @definition.interface
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
(type_declaration . (type_spec name: (type_identifier) @name) .) @definition.type
(type_spec name: (type_identifier) @name) @definition.type
(type_declaration . (type_alias name: (type_identifier) @name) .) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
(method_elem name: (field_identifier) @name parameters: (_) @parameters) @definition.method
(type_spec type: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name) @definition.field)))

(source_file (const_declaration . (const_spec . name: (identifier) @name) .) @definition.constant)
(source_file (const_declaration (const_spec . name: (identifier) @name) @definition.constant))
(source_file (var_declaration . (var_spec name: (identifier) @name) .) @definition.variable)
(source_file (var_declaration (var_spec name: (identifier) @name) @definition.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable)))

(comment) @comment

(call_expression function: (identifier) @call arguments: (_) @arguments)
(call_expression function: (selector_expression operand: (_) @receiver field: (field_identifier) @call) arguments: (_) @arguments)

(import_spec !name path: (_) @import @module)
(import_spec name: (_) @alias path: (_) @import @module)
(package_clause (package_identifier) @package)

(parameter_declaration name: (identifier) @bind type: (_) @type)
(variadic_parameter_declaration name: (identifier) @bind type: (_) @each)
(function_declaration result: [(type_identifier) (pointer_type) (qualified_type) (slice_type) (map_type) (generic_type)] @returns)
(function_declaration result: (parameter_list . (parameter_declaration type: (_) @returns)))
(method_declaration result: [(type_identifier) (pointer_type) (qualified_type) (slice_type) (map_type) (generic_type)] @returns)
(method_declaration result: (parameter_list . (parameter_declaration type: (_) @returns)))
(method_elem result: [(type_identifier) (pointer_type) (qualified_type) (slice_type) (map_type) (generic_type)] @returns)
(method_elem result: (parameter_list . (parameter_declaration type: (_) @returns)))
(field_declaration name: (field_identifier) @bind type: (_) @type)
(field_declaration !name type: (_) @base)
(interface_type (type_elem (_) @base))
(type_alias type: (_) @base)
(var_spec name: (identifier) @bind type: (_) @type)
(var_spec . name: (identifier) @bind !type value: (expression_list . (_) @value))
(const_spec name: (identifier) @bind)
(short_var_declaration left: (expression_list . (identifier) @bind) right: (expression_list . (_) @value))
(short_var_declaration left: (expression_list (identifier) @bind))
(short_var_declaration left: (expression_list . (identifier) @bind) right: (expression_list . (type_assertion_expression type: (_) @type)))
(short_var_declaration left: (expression_list . (identifier) @bind) right: (expression_list . (composite_literal type: (_) @type)))
(short_var_declaration left: (expression_list . (identifier) @bind) right: (expression_list . (call_expression function: (identifier) @_new arguments: (argument_list . (_) @type)))
  (#any-of? @_new "new" "make"))
(range_clause left: (expression_list (identifier) . (identifier) @bind) right: (_) @each)
(range_clause left: (expression_list (identifier) @bind))
(type_switch_statement alias: (expression_list (identifier) @bind))
