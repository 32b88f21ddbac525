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
`@receiver`         what a call is called on; without it the name is looked up as a bare one.
`@new` `@mark`      with `@call`: it makes an object; it only marks a definition (a decorator).
`@module`           from where an import is; `@member` is what (`*` is everything), `@alias` its name here.
`@use`              a whole import whose braces hold several names (Rust, Scala).
`@package`          the package a file belongs to.
`@bind`             a name that is bound, with `@type`, `@value` or `@each` (it is an element of that) in the
                    same match, or alone if nothing is known; with `@field` it is a member of the object.
`@base`             a base of the class around.
`@returns`          the declared type of what the function around gives; `@return` is a value that it gives.
`@flag`             a word such as `static` that says something of the definition around; `@declared` says
                    that it has no body.
`@script`           a piece of TypeScript or JavaScript inside a page.

A capture whose name starts with `_` only serves predicates. If two patterns find one name, the outer node is
the definition and the pattern that stands first in the file says what kind it is.
"""

from sightline.languages.table import LANGUAGES, Language, detect, nearest, resolve

__all__ = ["LANGUAGES", "Language", "detect", "nearest", "resolve"]
