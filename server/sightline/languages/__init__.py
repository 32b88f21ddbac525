"""The table of languages and their tree-sitter queries, one .scm file a grammar.

What the captures of a query mean:

`@definition.KIND`  a whole definition. It is a `function method class struct interface trait enum type module
                    namespace constant variable field property macro impl object constructor test section` or
                    `block`; a `function` directly in a type becomes a `method` by itself.
`@clause.KIND`      a clause of a definition; adjacent clauses of one name are one definition (Haskell).
`@section.KIND`     a definition that reaches to the next section or the end of the file (Dockerfile).
`@name`             the name of the definition; several are joined with dots (`resource.aws_s3_bucket.data`).
`@container`        the type a definition outside of it belongs to (Go receivers, `Queue::size` in C++).
`@body`             the body, where the grammar puts it beside the head and not inside of it (Dart).
`@comment`          a comment; right before a definition it is taken in and documents it.
`@attribute`        what else may stand before a definition and belongs to it (`#[test]`, `@spec`, `pub`).
`@doc`              documentation that is no comment: a docstring inside, or a string before a definition.
`@call` `@import`   the name that is called, the module or name that is imported.
`@script`           a piece of TypeScript or JavaScript inside a page.

A capture whose name starts with `_` only serves predicates. If two patterns find one name, the outer node is
the definition and the pattern that stands first in the file says what kind it is.
"""

from sightline.languages.table import LANGUAGES, Language, detect, nearest, resolve

__all__ = ["LANGUAGES", "Language", "detect", "nearest", "resolve"]
