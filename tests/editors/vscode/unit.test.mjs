// The parts of the extension that need no editor.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const extension = new URL('../../../editors/vscode/', import.meta.url);
const esbuild = createRequire(new URL('package.json', extension))('esbuild');

async function load(path) {
  const entry = new URL(`src/${path}`, extension).pathname;
  const built = await esbuild.build({ entryPoints: [entry], bundle: true, format: 'esm', write: false });
  return import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].text).toString('base64')}`);
}

const { completions, filterHints } = await load('search/hints.ts');
const { coverageNote, excerptOf, iconOf, placeOf, titleOf } = await load('search/present.ts');
const { Backoff } = await load('server/backoff.ts');
const { bytes, overallFiles, overallState, parseHealth } = await load('status/text.ts');
const { statusHtml } = await load('status/html.ts');

const vocabulary = {
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

test('a half-typed language is completed and left out of the search meanwhile', () => {
  assert.deepEqual(labels('read file lang:ja'), ['lang:java', 'lang:javascript']);
  assert.equal(completions('read file lang:ja', vocabulary).query, 'read file');
});

test('a taken completion keeps what was typed before it', () => {
  const [first] = completions('read lang:py,ja', vocabulary).hints;
  assert.equal(first.query, 'read lang:py,java ');
});

test('a known language, an alias and a glob need no completion', () => {
  for (const query of ['x lang:c', 'x lang:js', 'x kind:class', 'x path:src/*.py', 'x path:a.py']) {
    assert.deepEqual(completions(query, vocabulary), { hints: [], query });
  }
});

test('an unknown language is sent, so that the server can say what is wrong', () => {
  assert.deepEqual(completions('x lang:klingon', vocabulary), { hints: [], query: 'x lang:klingon' });
});

test('paths are completed with the folders of the workspace, also when excluded', () => {
  assert.deepEqual(labels('x path:'), ['path:server/**', 'path:tests/**']);
  assert.deepEqual(labels('x -path:te'), ['-path:tests/**']);
});

test('words that only look like filters are left alone', () => {
  for (const query of ['std::lang:', 'language', 'a url http://x', 'xlang:ja']) {
    assert.deepEqual(completions(query, vocabulary), { hints: [], query });
  }
});

test('an empty query offers every filter', () => {
  assert.deepEqual(
    filterHints().map((hint) => hint.label),
    ['lang:', 'kind:', 'path:', '-path:', 'name:'],
  );
});

test('a hit is shown by its qualified name, its place and its matched lines', () => {
  assert.equal(titleOf(hit), 'Config.load');
  assert.equal(placeOf(hit), 'a/b.py:12');
  assert.equal(placeOf(hit, 'api'), 'api • a/b.py:12');
  assert.equal(excerptOf(hit), 'def load(self):');
});

test('a hit outside any definition is shown by its file', () => {
  assert.equal(titleOf({ ...hit, symbol: undefined }), 'b.py');
});

test('every kind of definition has an icon of its own, and what is none is shown as a file', () => {
  const { kinds } = JSON.parse(readFileSync(new URL('src/search/vocabulary.json', extension), 'utf8'));
  const plain = kinds.filter((kind) => iconOf({ ...hit, symbol: { kind } }) === 'file-code');
  assert.deepEqual(plain, ['block', 'text']);
  assert.equal(iconOf({ ...hit, symbol: undefined }), 'file-code');
});

test('an incomplete answer says how much is indexed, and never 100 %', () => {
  const coverage = { state: 'indexing', filesIndexed: 999, filesTotal: 1000 };
  assert.equal(coverageNote(coverage), 'indexing 99 %');
  assert.equal(coverageNote({ ...coverage, filesIndexed: 1000 }), 'looking for changes');
  assert.equal(coverageNote({ ...coverage, state: 'ready' }), undefined);
  assert.equal(coverageNote({ ...coverage, state: 'degraded', reason: 'no model' }), 'no model');
});

test('restarts wait longer each time, end at last, and start anew after a healthy life', () => {
  const backoff = new Backoff();
  const waits = Array.from({ length: 7 }, () => backoff.next(0));
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, undefined]);
  assert.equal(backoff.next(60_000), 1);
});

test('the status of several folders is that of the neediest, over all their files', () => {
  const status = {
    version: '1',
    folders: [
      { state: 'ready', filesIndexed: 10, filesTotal: 10 },
      { state: 'indexing', filesIndexed: 0, filesTotal: 10 },
    ],
  };
  assert.equal(overallState(status), 'indexing');
  assert.deepEqual(overallFiles(status), [10, 20]);
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
  const folder = { uri: 'file:///a%20b', state: 'failed', parse: {}, skipped: {}, notes: [], model: '' };
  const numbers = {
    filesIndexed: 0,
    filesTotal: 0,
    chunks: 0,
    chunksEmbedded: 0,
    generation: 0,
    diskBytes: 0,
  };
  const page = statusHtml({ version: '1', folders: [{ ...folder, ...numbers, lastError: '<script>' }] }, '');
  assert.ok(page.includes('&#60;script&#62;') && !page.includes('<script>'));
  assert.ok(page.includes('/a b'));
});
