// Unit tests of the modules that need no editor.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

const extension = new URL('../../../editors/vscode/', import.meta.url);
const esbuild = createRequire(new URL('package.json', extension))('esbuild');

/** Loads a module of the extension; it gets its editor API from `globalThis.editor`, set by this file. */
async function load(path) {
  const entry = new URL(`src/${path}`, extension).pathname;
  const alias = { vscode: new URL('harness/no-editor.mjs', import.meta.url).pathname };
  const options = { bundle: true, format: 'esm', platform: 'node', write: false, alias };
  const built = await esbuild.build({ entryPoints: [entry], ...options });
  return import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].text).toString('base64')}`);
}

const { byUse, completions, filterHints, topFolders } = await load('search/hints.ts');
const { grouped, nothingClose } = await load('search/groups.ts');
const { Latest } = await load('search/latest.ts');
const { statement, suggestions, wrapped } = await load('search/mistake.ts');
const { bestLine, degradedNote, descriptionOf, detailOf, iconOf, landingOf, markedTitle, placeOf, titleOf } =
  await load('search/present.ts');
const { cellText } = await load('search/notebook.ts');
const { byFile, byRank, leaves } = await load('results/nodes.ts');
const { Backoff } = await load('server/backoff.ts');
const { locate } = await load('server/locate.ts');
const { interpreters } = await load('server/python.ts');
const { Installation } = await load('server/installation.ts');
const { ManagedEnvironment } = await load('server/managed.ts');
const { bytes, overallState, parseHealth, progressOf, statusLines } = await load('status/text.ts');
const { statusHtml } = await load('status/html.ts');

const vocabulary = {
  scopes: ['changed', 'here', 'open'],
  languages: ['c', 'cpp', 'java', 'javascript', 'python'],
  aliases: ['js', 'py'],
  kinds: ['class', 'function'],
  paths: ['server/**', 'tests/**'],
};
const hit = {
  path: 'a/b.py',
  range: { start: { line: 11, character: 0 }, end: { line: 13, character: 0 } },
  symbol: { name: 'load', kind: 'method', container: 'Config', signature: 'def load(self)' },
  snippet: {
    text: 'class Config:\n    def load(self):\n\n        return 1\n    x = 2',
    startLine: 10,
    truncated: false,
  },
};

function labels(query) {
  return completions(query, vocabulary).hints.map((hint) => hint.label);
}

test('a half-typed language is completed, and not part of the search until then', () => {
  assert.deepEqual(labels('read file lang:ja'), ['lang:java', 'lang:javascript']);
  assert.equal(completions('read file lang:ja', vocabulary).query, 'read file');
});

test('a scope is completed, also an excluded one', () => {
  assert.deepEqual(labels('token in:'), ['in:changed', 'in:here', 'in:open']);
  assert.deepEqual(labels('token -in:o'), ['-in:open']);
  assert.deepEqual(labels('token in:open'), []);
});

test('an accepted completion keeps the text before it', () => {
  const [first] = completions('read lang:py,ja', vocabulary).hints;
  assert.equal(first.query, 'read lang:py,java ');
});

test('a known language, an alias and a glob need no completion', () => {
  for (const query of ['x lang:c', 'x lang:js', 'x kind:class', 'x path:src/*.py', 'x path:a.py']) {
    assert.deepEqual(completions(query, vocabulary), { hints: [], query });
  }
});

test('an unknown language is sent, so that the server can report the mistake', () => {
  assert.deepEqual(completions('x lang:klingon', vocabulary), { hints: [], query: 'x lang:klingon' });
});

test('paths are completed with the folders of the workspace, also when excluded', () => {
  assert.deepEqual(labels('x path:'), ['path:server/**', 'path:tests/**']);
  assert.deepEqual(labels('x -path:te'), ['-path:tests/**']);
});

test('words that only look like filters are not completed', () => {
  for (const query of ['std::lang:', 'language', 'a url http://x', 'xlang:ja']) {
    assert.deepEqual(completions(query, vocabulary), { hints: [], query });
  }
});

test('an empty query offers every filter', () => {
  assert.deepEqual(
    filterHints().map((hint) => hint.label),
    ['lang:', 'kind:', 'path:', '-path:', 'in:', '-in:', 'name:', '"…"', 're:/…/'],
  );
});

test('scopes are completed, also when excluded', () => {
  assert.deepEqual(labels('x in:'), ['in:changed', 'in:here', 'in:open']);
  assert.deepEqual(labels('x -in:o'), ['-in:open']);
  assert.deepEqual(completions('x in:here', vocabulary), { hints: [], query: 'x in:here' });
});

test('closing an open quotation or pattern is offered, and it is not part of the search until then', () => {
  assert.deepEqual(labels('read "a file'), ['"a file"']);
  assert.deepEqual(labels('read re:/open\\/ [a-z]'), ['re:/open\\/ [a-z]/']);
  assert.equal(completions('read re:/op', vocabulary).query, 'read');
  assert.deepEqual(completions('read "', vocabulary), { hints: [], query: 'read' });
  for (const query of ['read "a file" now', 're:/a b/ c', 'say("hi', '"a" "b"']) {
    assert.deepEqual(completions(query, vocabulary), { hints: [], query });
  }
});

test('of questions that follow quickly only the last is asked', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const asked = [];
  const answers = [];
  const latest = new Latest(async (question) => asked.push(question) && `answer to ${question}`, 160);
  for (const question of ['a', 'ab', 'abc']) {
    mock.timers.tick(159);
    latest.ask(question, (answer) => answers.push(answer), assert.fail);
  }
  mock.timers.tick(160);
  await turn();
  assert.deepEqual(asked, ['abc']);
  assert.deepEqual(answers, ['answer to abc']);
});

test('the answer to a question that is not the last any more is dropped', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const running = [];
  const answers = [];
  const latest = new Latest(() => new Promise((resolve) => running.push(resolve)), 160);
  for (const question of ['old', 'new']) {
    latest.ask(question, (answer) => answers.push(answer), assert.fail);
    mock.timers.tick(160);
  }
  running[1]('new answer');
  running[0]('old answer');
  await turn();
  assert.deepEqual(answers, ['new answer']);
});

test('a hit is shown by its qualified name and its place', () => {
  assert.equal(titleOf(hit), 'Config.load');
  assert.equal(placeOf(hit), 'a/b.py:12');
  assert.equal(placeOf(hit, 'api'), 'api • a/b.py:12');
});

const range = (line, start, end) => ({ start: { line, character: start }, end: { line, character: end } });
const documented = {
  ...hit,
  range: { start: { line: 11, character: 0 }, end: { line: 16, character: 0 } },
  selectionRange: range(12, 8, 12),
  snippet: {
    text: [
      '    @cached',
      '    def load(',
      '        self):',
      '        """Read the settings, or the defaults.',
      '        return settings',
    ].join('\n'),
    startLine: 11,
    truncated: false,
  },
};

test('a hit lands on its name, else at its start', () => {
  assert.deepEqual(landingOf(documented).start, { line: 12, character: 8 });
  assert.deepEqual(landingOf(hit).start, { line: 11, character: 0 });
  assert.equal(placeOf(documented), 'a/b.py:13');
});

test('the detail is the signature and the most informative other line', () => {
  assert.equal(detailOf(documented), 'def load(self)  ·  Read the settings, or the defaults.');
  const highlights = [range(1, 8, 12), range(4, 15, 23)];
  const matched = { ...documented, snippet: { ...documented.snippet, highlights } };
  assert.equal(detailOf(matched), 'def load(self)  ·  return settings');
  assert.deepEqual(bestLine(matched).marks, [[7, 15]]);
  assert.deepEqual(markedTitle(matched), { text: 'Config.load', marks: [[7, 11]] });
});

test('a match in the lines around a hit is not its best line', () => {
  const range = { start: { line: 13, character: 0 }, end: { line: 16, character: 0 } };
  const snippet = {
    ...documented.snippet,
    highlights: [{ start: { line: 0, character: 4 }, end: { line: 0, character: 11 } }],
  };
  assert.equal(
    detailOf({ ...documented, range, snippet }),
    'def load(self)  ·  Read the settings, or the defaults.',
  );
});

test('a match in the signature alone is followed by the first informative line', () => {
  const snippet = { ...documented.snippet, highlights: [range(1, 8, 12)] };
  assert.equal(
    detailOf({ ...documented, snippet }),
    'def load(self)  ·  Read the settings, or the defaults.',
  );
});

test('a reason is shown, but not for weak hits', () => {
  assert.equal(descriptionOf({ ...hit, why: 'same words' }), 'a/b.py:12 · same words');
  assert.equal(descriptionOf({ ...hit, why: 'same words', weak: true }), 'a/b.py:12');
  assert.equal(descriptionOf({ ...hit, confidence: 'likely' }), 'a/b.py:12 · likely');
});

test('weak hits come last, and related ones under their reasons', () => {
  const weak = { ...hit, weak: true };
  const names = (hits) => grouped(hits).map(({ name, hits: members }) => [name, members.length]);
  assert.deepEqual(names([weak, hit, weak]), [
    ['', 1],
    ['less likely', 2],
  ]);
  assert.deepEqual(
    names([
      { ...hit, reason: 'calls' },
      { ...hit, reason: 'similar' },
    ]),
    [
      ['calls', 1],
      ['similar', 1],
    ],
  );
  assert.ok(nothingClose([weak]) && !nothingClose([weak, hit]) && !nothingClose([]));
});

test('the results are a tree by rank or by file', () => {
  const other = { ...hit, uri: 'file:///c.py', path: 'c.py' };
  const [one, two] = [range(9, 0, 1), range(3, 0, 1)].map((at) => ({
    ...hit,
    uri: 'file:///b.py',
    range: at,
  }));
  const files = byFile([one, { ...one, weak: true }, other, two]);
  assert.deepEqual(
    files.map(({ name, children }) => [name, children.map((node) => node.hit.range.start.line)]),
    [
      ['a/b.py', [3, 9]],
      ['c.py', [11]],
      ['less likely', [9]],
    ],
  );
  assert.deepEqual(
    leaves(byRank([one, { ...two, weak: true }, other])).map((node) => node.hit.path),
    ['a/b.py', 'c.py', 'a/b.py'],
  );
});

test('a result keeps its identity when its line changes', () => {
  const ids = (hits) => leaves(byRank(hits)).map(({ id }) => id);
  const at = (line) => ({ ...hit, uri: 'file:///b.py', range: range(line, 0, 1) });
  assert.deepEqual(ids([at(3), at(9)]), ids([at(4), at(10)]));
  assert.equal(new Set(ids([at(3), at(9)])).size, 2);
});

test('a hit in a notebook is shown by its cell', () => {
  const inCell = { ...hit, path: 'a.ipynb', cell: 2, symbol: undefined };
  assert.equal(placeOf(inCell), 'a.ipynb cell 3');
  const notebook = JSON.stringify({ cells: [{ source: 'one' }, { source: ['a = 1\n', 'b = 2'] }] });
  assert.equal(cellText(notebook, 0), 'one');
  assert.equal(cellText(notebook, 1), 'a = 1\nb = 2');
  assert.equal(cellText('no JSON', 1), 'no JSON');
});

test('suggestions for a wrong filter replace it in the query', () => {
  const message = "The filter 'lang:c,pyhton' names no known language. Did you mean python, java?";
  assert.deepEqual(suggestions(message, 'read lang:c,pyhton file', vocabulary), [
    { label: 'lang:c,python', query: 'read lang:c,python file' },
    { label: 'lang:c,java', query: 'read lang:c,java file' },
  ]);
  assert.equal(statement(message), "The filter 'lang:c,pyhton' names no known language.");
  assert.deepEqual(suggestions('Something else.', 'x', vocabulary), []);
});

test('a long message is broken between words and loses none of them', () => {
  const message = 'word '.repeat(60).trim();
  assert.equal(wrapped(message).join(' '), message);
  assert.ok(wrapped(message).every((line) => line.length <= 38));
});

test('the languages of the workspace are offered first', () => {
  const languages = byUse(vocabulary.languages, { python: 7, javascript: 2 });
  assert.deepEqual(languages, ['python', 'javascript', 'c', 'cpp', 'java']);
});

test('characters with an effect in lists are escaped', () => {
  const odd = { ...hit, path: 'a/\n\u202e$(alert).py', symbol: undefined };
  assert.equal(titleOf(odd), '\\u{a}\\u{202e}\\$(alert).py');
  assert.equal(placeOf(odd), 'a/\\u{a}\\u{202e}\\$(alert).py:12');
  const snippet = { text: '\tcall("\u001b]52;c;x\u0007", $(pwd))', startLine: 11, truncated: false };
  assert.equal(detailOf({ ...odd, snippet }), 'call("\\u{1b}]52;c;x\\u{7}", \\$(pwd))');
});

test('a folder that cannot be listed does not prevent the others from being offered', async () => {
  const listings = await Promise.allSettled([
    Promise.reject(new Error('no permission')),
    Promise.resolve([
      ['src', 2],
      ['.git', 2],
      ['a.py', 1],
    ]),
  ]);
  assert.deepEqual(topFolders(listings), ['src/**']);
});

test('a hit outside any definition is shown by its file', () => {
  assert.equal(titleOf({ ...hit, symbol: undefined }), 'b.py');
});

test('every kind of definition has its own icon, and other kinds are shown as a file', () => {
  const { kinds } = JSON.parse(readFileSync(new URL('src/search/vocabulary.json', extension), 'utf8'));
  const plain = kinds.filter((kind) => iconOf({ ...hit, symbol: { kind } }) === 'file-code');
  assert.deepEqual(plain, ['block', 'text']);
  assert.equal(iconOf({ ...hit, symbol: undefined }), 'file-code');
});

test('an incomplete answer gives the reason', () => {
  assert.equal(degradedNote({ state: 'ready' }), undefined);
  assert.equal(degradedNote({ state: 'degraded', reason: 'no model' }), 'no model');
});

const folder = {
  uri: 'file:///projects/my%20shop',
  state: 'indexing',
  filesIndexed: 999,
  filesTotal: 1000,
  chunks: 10,
  chunksEmbedded: 10,
  parse: { ok: 999 },
};

test('the progress has a number while files are indexed, and never 100 %', () => {
  const progress = (changes) => progressOf({ version: '1', folders: [{ ...folder, ...changes }] });
  assert.deepEqual(progress({}), { text: 'indexing 99 %', percent: 99 });
  assert.deepEqual(progress({ filesIndexed: 1000 }), { text: 'checking for changes' });
  assert.deepEqual(progress({ filesIndexed: 1000, chunksEmbedded: 9 }), { text: 'indexing, last step' });
  assert.equal(progress({ state: 'ready' }), undefined);
});

test('the tooltip is plain text with the same number', () => {
  const ready = {
    ...folder,
    uri: 'file:///projects/till/',
    state: 'ready',
    filesIndexed: 1000,
    lastError: 'Disk full.',
  };
  assert.deepEqual(statusLines({ version: '1', folders: [folder, ready] }), [
    'indexing 99 %',
    'my shop: 999 of 1000 files, 999 parsed',
    'till: 1000 of 1000 files, 999 parsed',
    'Disk full.',
  ]);
});

test('restarts wait longer each time, stop after six, and begin again after a minute without a crash', () => {
  const backoff = new Backoff();
  const waits = Array.from({ length: 7 }, () => backoff.next(0));
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, undefined]);
  assert.equal(backoff.next(60_000), 1);
});

test('the status of several folders is the worst of them, with the files of all', () => {
  const status = {
    version: '1',
    folders: [
      { state: 'ready', filesIndexed: 10, filesTotal: 10 },
      { state: 'indexing', filesIndexed: 0, filesTotal: 10 },
    ],
  };
  assert.equal(overallState(status), 'indexing');
  assert.equal(progressOf(status).percent, 50);
});

test('sizes and parse health are readable', () => {
  assert.deepEqual([0, 999, 1000, 1_234_567, 250e6].map(bytes), [
    '0 B',
    '999 B',
    '1.0 KB',
    '1.2 MB',
    '250 MB',
  ]);
  assert.equal(parseHealth({ ok: 3, partial: 1, error: 0 }), '3 parsed, 1 parsed with errors');
});

test('the status page shows text of the server as text', () => {
  const failed = { uri: 'file:///a%20b', state: 'failed', parse: {}, skipped: {}, notes: [], model: '' };
  const numbers = {
    filesIndexed: 0,
    filesTotal: 0,
    chunks: 0,
    chunksEmbedded: 0,
    generation: 0,
    diskBytes: 0,
  };
  const page = statusHtml({ version: '1', folders: [{ ...failed, ...numbers, lastError: '<script>' }] }, '');
  assert.ok(page.includes('&#60;script&#62;') && !page.includes('<script>'));
  assert.ok(page.includes('/a b'));
});

test('the lines of pip become packages and megabytes', () => {
  const lock = '# note\na==1 \\\n    --hash=sha256:0\nb==1 ; os_name == "nt"\nb==2 \\\n    --hash=sha256:1\n';
  const installation = new Installation(lock);
  const lines = [
    "Ignoring b: markers 'os_name == \"nt\"' don't match your environment",
    'Collecting a==1 (from -r requirements.lock (line 2))',
    '  Downloading a-1-py3-none-any.whl (1.6 MB)',
    'Requirement already satisfied: b==2 in /x (from -r requirements.lock (line 5)) (2)',
    'Installing collected packages: a',
  ];
  const said = lines.map((line) => installation.next(line)?.message);
  assert.deepEqual(said, [
    undefined,
    'package 1 of 2, 0 MB',
    'package 1 of 2, 2 MB',
    'package 2 of 2, 2 MB',
    'unpacking 2 packages',
  ]);
});

/** A managed environment whose extension bundles this text as its wheel. */
function managedWith(storage, text) {
  const bundled = mkdtempSync(join(tmpdir(), 'bundled-'));
  writeFileSync(join(bundled, 'server.whl'), text);
  writeFileSync(join(bundled, 'requirements.lock'), 'a==1\n');
  return new ManagedEnvironment(storage, bundled);
}

test('an environment belongs to one version, and those of other versions are removed when it exists', async () => {
  const storage = mkdtempSync(join(tmpdir(), 'storage-'));
  const old = join(storage, 'environments', 'old');
  mkdirSync(old, { recursive: true });
  const managed = managedWith(storage, 'new');
  assert.equal(await managed.python(), undefined);
  assert.equal(await managed.exists(), true);
  assert.equal(await managed.removeOld(), 0);
  const current = await managed.folder();
  mkdirSync(current);
  writeFileSync(join(current, 'installed'), '');
  assert.ok((await managed.python()).startsWith(current));
  assert.equal(await managedWith(storage, 'newer').python(), undefined);
  assert.equal(await managed.removeOld(), 1);
  assert.ok(!existsSync(old));
  assert.ok(existsSync(current));
});

test('a failed installation leaves no environment', async () => {
  const storage = mkdtempSync(join(tmpdir(), 'storage-'));
  const managed = managedWith(storage, 'new');
  const progress = { log() {}, report() {}, signal: new AbortController().signal };
  await assert.rejects(managed.install([process.execPath, '--version', '--'], progress));
  assert.equal(await managed.exists(), false);
});

/** Locates the server for a workspace of folders with these URI schemes. */
function located(...schemes) {
  globalThis.editor = {
    folders: schemes.map((scheme) => ({ uri: { scheme } })),
    settings: { 'server.command': ['server'] },
  };
  return locate(undefined, tmpdir());
}

test('a workspace of folders that are not on disk starts nothing', async () => {
  assert.deepEqual(await located('vscode-vfs'), { missing: 'folder' });
  assert.deepEqual(await located('vscode-vfs', 'memfs'), { missing: 'folder' });
});

test('one folder on disk is enough, and so is none at all', async () => {
  for (const schemes of [['vscode-vfs', 'file'], ['file'], []]) {
    assert.deepEqual((await located(...schemes)).found.command, ['server']);
  }
});

/** The Python extension with an active environment; `seen` gets the folder that it is asked for. */
function pythonExtension(environment, seen = []) {
  const environments = {
    getActiveEnvironmentPath: (folder) => {
      seen.push(folder);
      return { id: 'active', path: 'active' };
    },
    resolveEnvironment: async ({ id }) => (id === 'active' ? environment : undefined),
  };
  return { activate: async () => ({ ready: Promise.resolve(), environments }) };
}

const python = process.env.SIGHTLINE_PYTHON;

test('the interpreter that is selected for the first folder comes before those on the PATH', async () => {
  const seen = [];
  const environment = { executable: { uri: { fsPath: python } } };
  globalThis.editor = {
    folders: [{ uri: 'first' }, { uri: 'second' }],
    pythonExtension: pythonExtension(environment, seen),
  };
  assert.deepEqual((await interpreters(tmpdir()))[0], [python]);
  assert.deepEqual(seen, ['first']);
});

test('without a selected interpreter those on the PATH are used', async () => {
  const without = { executable: { uri: undefined } };
  const broken = { activate: () => Promise.reject(new Error('it did not start')) };
  for (const extension of [undefined, broken, pythonExtension(undefined), pythonExtension(without)]) {
    globalThis.editor = { folders: [{ uri: 'first' }], pythonExtension: extension };
    const found = await interpreters(tmpdir());
    assert.ok(found.length > 0);
    assert.ok(found.every(([program]) => ['python3', 'python'].includes(program)));
  }
});

test('a selected interpreter that is too old or cannot be started is passed over', async () => {
  for (const fsPath of [join(tmpdir(), 'no-such-python'), process.execPath]) {
    const environment = { executable: { uri: { fsPath } } };
    globalThis.editor = { folders: [], pythonExtension: pythonExtension(environment) };
    assert.ok((await interpreters(tmpdir())).every(([program]) => program !== fsPath));
  }
});
