(decorated_definition definition: (class_definition name: (identifier) @name)) @definition.class
(class_definition name: (identifier) @name) @definition.class
(decorated_definition definition: (function_definition name: (identifier) @name)) @definition.function
(function_definition name: (identifier) @name parameters: (_) @parameters) @definition.function

(module (assignment left: (identifier) @name) @definition.constant)
(module (type_alias_statement left: (type) @name) @definition.type)
(class_definition body: (block (assignment left: (identifier) @name) @definition.field))

(module . (string) @doc)
(block . (string) @doc)
(comment) @comment

(call function: (identifier) @call arguments: (_) @arguments)
(call function: (attribute object: (_) @receiver attribute: (identifier) @call) arguments: (_) @arguments)
(decorator (identifier) @call @mark)
(decorator (attribute object: (_) @receiver attribute: (identifier) @call @mark))

(import_statement name: (dotted_name) @import @module)
(import_statement name: (aliased_import name: (dotted_name) @import @module alias: (identifier) @alias))
(import_from_statement module_name: (_) @import)
(import_from_statement module_name: (_) @module name: (dotted_name) @import @member)
(import_from_statement module_name: (_) @module name: (aliased_import name: (dotted_name) @import @member alias: (identifier) @alias))
(import_from_statement module_name: (_) @module (wildcard_import) @member)

(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript) (call)] @base))
(function_definition return_type: (type) @returns)
(return_statement [(identifier) (attribute) (call) (await)] @return)

(parameters (identifier) @bind)
(parameters (typed_parameter . (identifier) @bind type: (type) @type))
(parameters (default_parameter name: (identifier) @bind value: (_) @value))
(parameters (typed_default_parameter name: (identifier) @bind type: (type) @type))
(parameters (list_splat_pattern (identifier) @bind))
(parameters (dictionary_splat_pattern (identifier) @bind))
(lambda_parameters (identifier) @bind)
(assignment left: (identifier) @bind type: (type) @type)
(assignment left: (attribute) @bind type: (type) @type)
(assignment left: (identifier) @bind right: (_) @value)
(assignment left: (attribute object: (identifier)) @bind right: (_) @value)
(assignment left: (identifier) @bind right: (conditional_expression . (_) @value (_) (_) @value))
(assignment left: (attribute object: (identifier)) @bind right: (conditional_expression . (_) @value (_) (_) @value))
(assignment left: (identifier) @bind right: (boolean_operator left: (_) @value right: (_) @value))
(assignment left: (attribute object: (identifier)) @bind right: (boolean_operator left: (_) @value right: (_) @value))
(assignment left: (pattern_list (identifier) @bind))
(assignment left: (tuple_pattern (identifier) @bind))
(named_expression name: (identifier) @bind value: (_) @value)
(for_statement left: (identifier) @bind right: (_) @each)
(for_statement left: (pattern_list (identifier) @bind))
(for_in_clause left: (identifier) @bind right: (_) @each)
(for_in_clause left: (pattern_list (identifier) @bind))
(as_pattern . (_) @value alias: (as_pattern_target (identifier) @bind))
