// The results view in the side bar. The tests run in order: each starts where the previous one ended.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { ATTEMPT_MS, Editor, eventually, INDEXED_MS } from './harness/editor.mjs';
import { lastAnswer } from './harness/messages.mjs';
import { freshHome, project, recordedServer, vsix } from './harness/setup.mjs';
import { steps } from './harness/steps.mjs';

const SEARCH = 'workspace/semanticSearch';
const QUERY = 'parse header';
const NOTEBOOK = 'greenhouse.ipynb';
const NOTEBOOK_CELL = [
  'def moisture_by_plant(rows):\n',
  '    """Average the soil moisture of each plant."""\n',
  '    return {plant: sum(values) / len(values) for plant, values in rows}',
];
const VIEW = '[id="workbench.view.extension.sightline"]';
const home = freshHome();
const record = join(home, 'record');
const step = steps(() => editor);
let editor;

function rows() {
  return editor.page.locator(`${VIEW} .monaco-list-row`);
}

function message() {
  return editor.page.locator(`${VIEW} .message`).innerText();
}

/** The label and description of every visible row, from the top. */
async function shown() {
  const found = await rows().evaluateAll((all) =>
    all.map((row) => ({
      index: Number(row.dataset.index),
      label: row.querySelector('.label-name')?.textContent ?? '',
      description: row.querySelector('.label-description')?.textContent ?? '',
      marked: [...row.querySelectorAll('.label-name .highlight')].map((part) => part.textContent),
    })),
  );
  return found.sort((one, other) => one.index - other.index);
}

function titleOf({ symbol }) {
  // A hit without a symbol is shown by its line.
  if (!symbol) return undefined;
  return symbol.container ? `${symbol.container}.${symbol.name}` : symbol.name;
}

function landing(hit) {
  return (hit.selectionRange ?? hit.range).start;
}

function kept(query = QUERY) {
  return eventually(() => {
    const answer = lastAnswer(record, SEARCH, (params) => params.query === query && params.limit > 100);
    assert.ok(answer, `${query} was not requested for the view`);
    return answer;
  });
}

/** A line of an editor, which shows spaces as other characters. */
function spaced(text) {
  return text.replaceAll('\u00a0', ' ').trim();
}

/** Takes an entry from the context menu of the topmost row. */
async function fromMenu(label) {
  const row = editor.page.locator(`${VIEW} .monaco-list-row[data-index="0"]`);
  const entry = editor.page.locator('.context-view .action-label').getByText(label, { exact: true });
  await eventually(async () => {
    if (!(await entry.isVisible())) await row.click({ button: 'right', timeout: ATTEMPT_MS });
    await entry.click({ timeout: ATTEMPT_MS });
    // A menu ignores clicks right after it opens.
    await entry.waitFor({ state: 'hidden', timeout: 1_000 });
  });
}

/** Writes a notebook as Jupyter does. */
function writeNotebook() {
  const cell = (cell_type, source, more = {}) => ({ cell_type, source, metadata: {}, ...more });
  const code = (source) => cell('code', source, { outputs: [], execution_count: null });
  const cells = [
    cell('markdown', ['# Greenhouse\n', '\n', 'What the sensors have recorded.']),
    code(['import csv\n', 'rows = list(csv.reader(open("sensors.csv")))']),
    code(NOTEBOOK_CELL),
    code(['print(len(rows))']),
  ];
  const content = { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 };
  writeFileSync(join(project, NOTEBOOK), JSON.stringify(content, null, 1));
}

before(async () => {
  writeNotebook();
  editor = await Editor.start({
    home,
    workspace: project,
    extensions: [vsix],
    machineSettings: recordedServer(record),
  });
  await editor.untilReady();
});

after(() => editor?.stop());

step('the list of the quick-pick is kept in the side bar, with more results than it showed', async () => {
  await editor.openFile('till.py', 1);
  await editor.search(QUERY);
  await eventually(async () => assert.match((await editor.lines())[0].label, /header/));
  await editor.query.press('Control+Shift+Enter');
  const { results, total } = await kept();
  assert.ok(results.length > 30);
  const sure = results.filter((hit) => !hit.weak);
  await eventually(async () => {
    const labels = (await shown()).map(({ label }) => label);
    assert.ok(labels.length > 10);
    const expected = sure.slice(0, labels.length).map((hit, index) => titleOf(hit) ?? labels[index]);
    assert.deepEqual(labels, expected);
    const counted = results.length < total ? `${results.length} of ${total}` : total;
    assert.equal(await message(), `${QUERY} — ${counted} results`);
    assert.ok((await shown()).some(({ marked }) => marked.some((part) => /parse|header/i.test(part))));
  });
  await editor.picture('30-view');
});

step('the list has the focus, also when it was empty before', async () => {
  await editor.untilFocused(`${VIEW} .monaco-list`);
  const focused = editor.page.locator(`${VIEW} .monaco-list-row.focused`);
  await editor.page.keyboard.press('ArrowDown');
  await eventually(async () => assert.equal(await focused.getAttribute('data-index'), '1'));
});

step('next and previous go through the results', async () => {
  const { results } = await kept();
  const [first, second] = results.filter((hit) => !hit.weak);
  const isAt = (hit) =>
    eventually(async () => {
      assert.equal(await editor.activeTab(), hit.path.split('/').at(-1));
      const { line, character } = landing(hit);
      assert.deepEqual(await editor.cursor(), { line: line + 1, column: character + 1 });
    });
  await editor.page.keyboard.press('F4');
  await isAt(first);
  await editor.page.keyboard.press('F4');
  await isAt(second);
  await editor.picture('31-next');
  await editor.page.keyboard.press('Shift+F4');
  await isAt(first);
  await editor.command('View: Toggle Primary Side Bar Visibility');
  await rows().first().waitFor({ state: 'hidden' });
  await editor.page.keyboard.press('F4');
  await isAt(second);
  assert.equal(await rows().first().isVisible(), false);
  await editor.command('View: Toggle Primary Side Bar Visibility');
  await rows().first().waitFor();
  await editor.page.keyboard.press('Shift+F4');
  await isAt(first);
});

step('the path is copied, whole and relative', async () => {
  const [first] = (await kept()).results.filter((hit) => !hit.weak);
  const clipboard = () => editor.page.evaluate(() => navigator.clipboard.readText());
  await fromMenu('Copy Path');
  await eventually(async () => assert.equal(await clipboard(), join(project, first.path)));
  await fromMenu('Copy Relative Path');
  await eventually(async () => assert.equal(await clipboard(), first.path));
});

step('the tree can be by file, with the best line of each place', async () => {
  await editor.command('Sightline: Show Results by File');
  const { results } = await kept();
  const [best] = results;
  await eventually(async () => {
    const [file, hit] = await shown();
    assert.equal(file.label, best.path.split('/').at(-1));
    assert.match(hit.description, /^:\d+$/);
  });
  await editor.picture('32-by-file');
  await editor.command('Sightline: Show Results by Rank');
  await eventually(async () =>
    assert.equal((await shown())[0].label, titleOf(results.find((hit) => !hit.weak))),
  );
});

step('a result opens to the side, and its related code is found', async () => {
  await fromMenu('Open to the Side');
  await editor.untilGroups(2);
  await editor.joinGroups();
  await fromMenu('Find Related to Result');
  await editor.title('Sightline: Related to ').waitFor();
  await eventually(async () => assert.ok((await editor.lines())[0].divider));
  await editor.closePicker();
});

step('the list follows the index', async () => {
  const path = join(project, 'folded_header.py');
  writeFileSync(path, 'def parse_header(header):\n    """Parse a header, and parse the header again."""\n');
  await eventually(async () => {
    const { results } = await kept();
    assert.ok(results.some((hit) => hit.path === 'folded_header.py'));
  }, INDEXED_MS);
  await eventually(async () => {
    const places = (await shown()).map(({ description }) => description);
    assert.ok(places.some((place) => place.startsWith('folded_header.py:1')));
  });
});

step('a folder can be excluded', async () => {
  const [first] = await eventually(async () => {
    const sure = (await kept()).results.filter((hit) => !hit.weak);
    assert.equal(
      (await shown())[0].description,
      `${sure[0].path}:${landing(sure[0]).line + 1} · ${sure[0].why}`,
    );
    return sure;
  });
  const folder = first.path.includes('/')
    ? `${first.path.slice(0, first.path.lastIndexOf('/'))}/**`
    : first.path;
  await fromMenu('Exclude This Folder');
  const { results } = await kept(`${QUERY} -path:${folder}`);
  assert.ok(results.every((hit) => hit.path !== first.path));
  await eventually(async () => assert.match(await message(), /-path:/));
});

step('the results are still there after the window was closed', async () => {
  await editor.page.reload();
  await eventually(async () => {
    assert.match(await message(), /-path:/);
    assert.ok((await shown()).length > 10);
  }, INDEXED_MS);
});

step('a hit in a notebook is previewed and opens at its cell', async () => {
  await editor.search('average soil moisture of each plant');
  await eventually(async () => {
    const [first] = await editor.lines();
    assert.equal(first.label, 'moisture_by_plant');
    assert.ok(first.description.startsWith(NOTEBOOK), first.description);
  });
  // The preview is the cell, not the JSON of the file.
  const preview = editor.page.locator('.editor-group-container.active .view-line').first();
  await eventually(async () => assert.equal(spaced(await preview.innerText()), NOTEBOOK_CELL[0].trim()));
  await editor.accept();
  await eventually(async () => assert.equal(await editor.activeTab(), NOTEBOOK));
  const cell = editor.page.locator('.notebookOverlay .monaco-list-row.focused');
  await eventually(async () => assert.match(spaced(await cell.innerText()), /def moisture_by_plant/));
  await editor.picture('34-notebook');
});

step('clearing the view says how to fill it', async () => {
  await editor.command('Sightline: Clear Results');
  await editor.page.getByText('Send the results of a search here').waitFor();
  await editor.picture('33-empty-view');
});

step('what the results are of stays above them, also in a view that was cleared', async () => {
  await editor.search(QUERY);
  await eventually(async () => assert.match((await editor.lines())[0].label, /header/));
  await editor.query.press('Control+Shift+Enter');
  await rows().first().waitFor();
  await editor.command('Sightline: Show Results by File');
  await eventually(async () => assert.match((await shown())[0].label, /\.py$/));
  assert.match(await message(), /^parse header — /);
});
