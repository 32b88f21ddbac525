--- The values of lang:, kind: and in:; written by generate.py.
-- stylua: ignore
return {
  languages = {
    'ada', 'astro', 'bash', 'c', 'clojure', 'cmake', 'commonlisp', 'cpp', 'csharp', 'css', 'd', 'dart',
    'dockerfile', 'elisp', 'elixir', 'elm', 'erlang', 'fish', 'fortran', 'fsharp', 'gdscript', 'gleam', 'glsl',
    'go', 'gomod', 'graphql', 'groovy', 'haskell', 'hcl', 'hlsl', 'html', 'ini', 'java', 'javascript', 'json',
    'julia', 'jupyter', 'kotlin', 'latex', 'less', 'lua', 'luau', 'make', 'markdown', 'matlab', 'nim', 'nix',
    'objc', 'ocaml', 'ocaml_interface', 'pascal', 'perl', 'php', 'powershell', 'prisma', 'properties', 'proto',
    'python', 'r', 'racket', 'rst', 'ruby', 'rust', 'scala', 'scheme', 'scss', 'solidity', 'sql', 'starlark',
    'svelte', 'swift', 'tcl', 'text', 'thrift', 'toml', 'tsx', 'typescript', 'verilog', 'vhdl', 'vim', 'vue',
    'wgsl', 'xml', 'yaml', 'zig',
  },
  kinds = {
    'block', 'class', 'constant', 'constructor', 'enum', 'field', 'function', 'impl', 'interface', 'macro',
    'method', 'module', 'namespace', 'object', 'property', 'section', 'struct', 'test', 'text', 'trait', 'type',
    'variable',
  },
  scopes = {
    'changed', 'here', 'open',
  },
}
