(class_definition name: (name) @name) @definition.class
(class_name_statement name: (name) @name) @definition.class
(function_definition name: (name) @name) @definition.function
(enum_definition name: (name) @name) @definition.enum
(signal_statement name: (name) @name) @definition.property
(source (const_statement name: (name) @name) @definition.constant)
(source (variable_statement name: (name) @name) @definition.variable)

(comment) @comment
(annotation) @attribute

(call . (identifier) @call)
(attribute (_) @receiver . (attribute_call . (identifier) @call))
(extends_statement (type) @base)
(variable_statement name: (name) @bind type: (type) @type)
(typed_parameter (identifier) @bind type: (type) @type)
