(Decl (FnProto function: (IDENTIFIER) @name)) @definition.function
(Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType . "enum")))))) @definition.enum
(Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr (ContainerDecl))))) @definition.struct
(source_file (Decl (VarDecl variable_type_function: (IDENTIFIER) @name)) @definition.constant)
(ContainerDecl (Decl (VarDecl variable_type_function: (IDENTIFIER) @name)) @definition.constant)
(ContainerField field_member: (IDENTIFIER) @name) @definition.field
(TestDecl (STRINGLITERALSINGLE) @name) @definition.test

(line_comment) @comment
(doc_comment) @comment
(container_doc_comment) @doc
"pub" @attribute

(SuffixExpr variable_type_function: (IDENTIFIER) @call (FnCallArguments))
(SuffixExpr (_) @receiver . (FieldOrFnCall function_call: (IDENTIFIER) @call))
((VarDecl variable_type_function: (IDENTIFIER) @alias (ErrorUnionExpr (SuffixExpr (BUILTINIDENTIFIER) @_import (FnCallArguments (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @module)))))) (#eq? @_import "@import"))
(ParamDecl parameter: (IDENTIFIER) @bind (ParamType (ErrorUnionExpr (SuffixExpr) @type)))

((SuffixExpr (BUILTINIDENTIFIER) @_import (FnCallArguments (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @import)))) (#eq? @_import "@import"))
