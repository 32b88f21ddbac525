// Formats Lua files with stylua's WebAssembly build: `node stylua.mjs PACKAGE CONFIG [--check] FILE...`.
// The build reads no configuration file, so this reads the flat TOML of editors/neovim/stylua.toml.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [folder, configuration, ...rest] = process.argv.slice(2)
const stylua = createRequire(`${folder}/`)('@johnnymorganz/stylua')
const ENUMS = {
  syntax: stylua.LuaVersion,
  line_endings: stylua.LineEndings,
  indent_type: stylua.IndentType,
  quote_style: stylua.QuoteStyle,
  collapse_simple_statement: stylua.CollapseSimpleStatement,
}

function config() {
  const made = stylua.Config.new()
  for (const [, name, value] of readFileSync(configuration, 'utf8').matchAll(/^(\w+) = (.+)$/gm)) {
    const parsed = JSON.parse(value)
    const chosen = ENUMS[name] ? ENUMS[name][parsed] : parsed
    if (!(name in made) || chosen === undefined) throw new Error(`${configuration}: ${name} = ${value} is not known`)
    made[name] = chosen
  }
  return made
}

const check = rest[0] === '--check'
const different = rest.slice(check ? 1 : 0).filter((file) => {
  const text = readFileSync(file, 'utf8')
  const formatted = stylua.formatCode(text, config(), undefined, stylua.OutputVerification.Full)
  if (!check && formatted !== text) writeFileSync(file, formatted)
  return formatted !== text
})
for (const file of different) console.error(check ? `${file} would be reformatted; run: make format` : `${file} reformatted`)
process.exitCode = check && different.length > 0 ? 1 : 0
