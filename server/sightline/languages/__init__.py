"""The table of languages and their tree-sitter queries, one .scm file per grammar.

The captures of a query:

`@definition.KIND`  a whole definition. KIND is `function method class struct interface trait enum type module
                    namespace constant variable field property macro impl object constructor test section` or
                    `block`; a `function` directly in a type automatically becomes a `method`.
`@clause.KIND`      a clause of a definition; adjacent clauses with one name are one definition (Haskell).
`@section.KIND`     a definition that extends to the next section or the end of the file (Dockerfile).
`@name`             the name of the definition; several are joined with dots (`resource.aws_s3_bucket.data`).
`@container`        the type that a definition outside it belongs to (Go receivers, `Queue::size` in C++).
`@body`             the body, if the grammar puts it beside the head and not inside it (Dart).
`@comment`          a comment; directly before a definition it is part of it and documents it.
`@attribute`        other text before a definition that belongs to it (`#[test]`, `@spec`, `pub`).
`@doc`              documentation that is no comment: a docstring inside, or a string before a definition.
`@call` `@import`   the name that is called, the module or name that is imported.
`@arguments`        the arguments of a call.
`@receiver`         the object of a call; without it the name is looked up as a bare name.
`@new` `@mark`      with `@call`: it creates an object; it only marks a definition (a decorator).
`@module`           the module of an import; `@member` is the imported name (`*` is everything), `@alias` its
                    name here.
`@use`              a whole import whose braces hold several names (Rust, Scala).
`@package`          the package a file belongs to.
`@bind`             a name that is bound, with `@type`, `@value` or `@each` (it is an element of that) in
                    the same match, or alone if nothing is known; with `@field` it is a member of the object.
`@base`             a base of the enclosing class.
`@returns`          the declared return type of the enclosing function; `@return` is a value that it returns.
`@parameters`       the parameters of the enclosing function.
`@flag`             a word such as `static` that describes the enclosing definition; `@declared` means that
                    it has no body.
`@script`           a piece of TypeScript or JavaScript inside a page.

A capture whose name starts with `_` is only for predicates. If two patterns find one name, the outer node is
the definition, and the pattern that is first in the file determines its kind.
"""

from sightline.languages.table import LANGUAGES, Language, detect, nearest, resolve

__all__ = ["LANGUAGES", "Language", "detect", "nearest", "resolve"]
