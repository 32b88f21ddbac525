// Writes what the extension shares with the server: its settings, languages, kinds of definitions, scopes and tools.
// `npm run generate` writes, `npm run generate -- --check` fails when something is out of date. PYTHON names the
// interpreter that has the server.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const ASK_SERVER = `
import json
from sightline import __version__
from sightline.agents.tool_definitions import TOOLS
from sightline.languages import LANGUAGES
from sightline.search.query.parse_query import KINDS
from sightline.search.query.scopes import SCOPES
from sightline.settings.tree import SECTIONS, schema
print(json.dumps({
    "version": __version__,
    "settings": schema(),
    "sections": {name: section.__doc__ for name, section in SECTIONS.items()},
    "languages": sorted(LANGUAGES),
    "aliases": sorted(alias for language in LANGUAGES.values() for alias in language.aliases),
    "kinds": sorted(KINDS),
    "scopes": sorted(SCOPES),
    "tools": [
        {"name": tool.name, "title": tool.title, "description": tool.description, "schema": tool.schema}
        for tool in TOOLS.values()
    ],
}))`;

// A workspace may not choose what is fetched, run or connected to: those belong to the user and the machine.
const SCOPES = { user: 'machine', workspace: 'resource' };

const manifestFile = new URL('../package.json', import.meta.url);
const lockFile = new URL('../package-lock.json', import.meta.url);
const vocabularyFile = new URL('../src/search/vocabulary.json', import.meta.url);

function askServer() {
  const python = process.env.PYTHON ?? 'python3';
  return JSON.parse(execFileSync(python, ['-c', ASK_SERVER], { encoding: 'utf8' }));
}

/** A setting's name as VS Code writes it: it shows `cpu_percent` as "Cpu_percent", and `cpuPercent` as "Cpu Percent". */
function editorKey(key) {
  return `sightline.${key.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())}`;
}

/** The server's text, with links to the settings that it names and the examples as JSON. */
function describe(description, examples, keys) {
  const linked = description.replace(/`([\w.]+)`/g, (quoted, name) =>
    keys.includes(name) ? `\`#${editorKey(name)}#\`` : quoted,
  );
  const shown = examples.map((example) => JSON.stringify(example, null, 1).replace(/\s*\n\s*/g, ' '));
  return [linked, ...shown.map((example) => `For example \`${example}\`.`)].join(' ');
}

function property({ scope, description, examples = [], experimental, ...rest }, keys) {
  return {
    ...rest,
    scope: SCOPES[scope],
    markdownDescription: describe(description, examples, keys),
    // Understood in settings.json, but not on the settings page.
    ...(experimental ? { included: false } : {}),
  };
}

function heading(name) {
  const words = name.replaceAll('_', ' ');
  return words[0].toUpperCase() + words.slice(1);
}

function sections(server) {
  return Object.keys(server.sections).map((name, index) => ({
    title: heading(name),
    order: index + 1,
    properties: Object.fromEntries(
      Object.entries(server.settings)
        .filter(([key]) => key.startsWith(`${name}.`))
        .map(([key, described]) => [editorKey(key), property(described, Object.keys(server.settings))]),
    ),
  }));
}

function languageModelTool({ name, title, description, schema }) {
  return {
    name: `sightline_${name}`,
    toolReferenceName: `sightline${heading(name)}`,
    displayName: `Sightline: ${title}`,
    userDescription: title,
    modelDescription: description,
    canBeReferencedInPrompt: true,
    icon: '$(search)',
    inputSchema: schema,
  };
}

function updated() {
  const server = askServer();
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  const [own] = manifest.contributes.configuration;
  const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
  manifest.version = lock.version = lock.packages[''].version = server.version;
  manifest.contributes.configuration = [own, ...sections(server)];
  manifest.contributes.languageModelTools = server.tools.map(languageModelTool);
  const { languages, aliases, kinds, scopes } = server;
  return [
    [manifestFile, manifest],
    [lockFile, lock],
    [vocabularyFile, { languages, aliases, kinds, scopes }],
  ];
}

for (const [file, content] of updated()) {
  if (!process.argv.includes('--check')) {
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  } else if (JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))) !== JSON.stringify(content)) {
    console.error(`${file.pathname} differs from the server: run \`npm run generate\``);
    process.exitCode = 1;
  }
}
