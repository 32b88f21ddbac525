// A user session with the extension. The tests run in order: each starts where the previous one ended.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { Editor, eventually } from './rig/editor.mjs';
import { lastAnswer, recorded } from './rig/messages.mjs';
import { freshHome, project, recordedServer, vsix } from './rig/setup.mjs';
import { steps } from './rig/steps.mjs';

const SEARCH = 'workspace/semanticSearch';
const home = freshHome();
const record = join(home, 'record');
const step = steps(() => editor);
let editor;
/** The texts of the status-bar item since the start. */
const statusTexts = [];

async function watchStatus() {
  const text = (await editor.statusItem.innerText({ timeout: 100 }).catch(() => '')).trim();
  if (text && text !== statusTexts.at(-1)) statusTexts.push(text);
  return text;
}

/** Opens the search if it is not open, and types a query with a pause of `delay` ms after each key. */
async function search(query, delay = 0) {
  await eventually(async () => {
    const title = editor.title('Sightline: Search Code');
    if (!(await title.isVisible())) await editor.command('Sightline: Search Code');
    await title.waitFor({ timeout: 5_000 });
  });
  await editor.query.fill('');
  await editor.page.keyboard.type(query, { delay });
}

/** Waits for the server's answer to exactly this query and returns it. */
function answerTo(query) {
  return eventually(() => {
    const answer = lastAnswer(record, SEARCH, (params) => params.query === query);
    assert.ok(answer, `no answer to ${query}`);
    return answer;
  });
}

function landing(hit) {
  return (hit.selectionRange ?? hit.range).start;
}

function shownAs(hit) {
  return `${hit.path}:${landing(hit).line + 1}`;
}

/** The places on screen, without their reasons. */
function places(lines) {
  return lines.map(({ description }) => /^(.+:\d+)(?: · .+)?$/.exec(description)?.[1]).filter(Boolean);
}

/** Waits until the visible hits are the first hits of the server's latest answer to a query, in order. */
async function assertShows(query) {
  await eventually(async () => {
    const answer = await answerTo(query);
    const visible = places(await editor.lines());
    const sure = answer.results.filter((hit) => !hit.weak);
    const weak = answer.results.filter((hit) => hit.weak);
    const expected = [...sure, ...weak].map(shownAs).slice(0, visible.length);
    assert.ok(
      visible.length >= Math.min(5, answer.results.length),
      `only ${visible.length} hits are visible`,
    );
    assert.deepEqual(visible, expected);
  });
}

before(async () => {
  mkdirSync(join(project, '.vscode'), { recursive: true });
  writeFileSync(
    join(project, '.vscode', 'settings.json'),
    JSON.stringify({
      'sightline.search.perFile': 4,
      'sightline.search.tuning': {},
      // Spelled as in .sightline.toml; a workspace may not set the second one.
      'sightline.search.rerank_top': 15,
      'sightline.embedding.allow_download': true,
    }),
  );
  editor = await Editor.start({
    home,
    workspace: project,
    extensions: [vsix],
    machineSettings: recordedServer(record),
  });
});

after(() => editor?.stop());

step('the first start indexes with visible progress', async () => {
  await eventually(async () => assert.match(await watchStatus(), /Sightline \d+ %/), 120_000);
  await search('open file');
  await eventually(async () => {
    const shown = await Promise.all([editor.titleText(), watchStatus(), editor.statusLabel()]);
    const numbers = shown.map((text) => /(\d+) %/.exec(text)?.[1]);
    assert.ok(numbers[0]);
    assert.equal(new Set(numbers).size, 1, `${numbers}`);
    assert.ok(!/&\w+;/.test(shown[2]), shown[2]);
  });
  // The number is shown only once, not also in a progress item of the client library.
  assert.equal(await editor.page.locator('.statusbar-item', { hasText: /files|indexing/ }).count(), 0);
  await editor.picture('01-indexing');
  await editor.untilReady();
  assert.ok(statusTexts.some((text) => /\d %$/.test(text)));
  assert.match(await editor.statusLabel(), /^Sightline, ready, library: (\d+) of \1 files, \d+ parsed/);
  await eventually(async () => assert.equal(await editor.titleText(), 'Sightline: Search Code'));
  await editor.closePicker();
  await editor.statusItem.hover();
  const tooltip = editor.page.locator('.workbench-hover').filter({ hasText: 'ready' });
  assert.match(await tooltip.innerText(), /^ready\nlibrary: (\d+) of \1 files, \d+ parsed/);
  await editor.picture('02-ready');
  await editor.page.mouse.move(640, 400);
});

step(
  'the key binding opens the search, and an empty query offers three examples and the filters',
  async () => {
    await editor.page.keyboard.press('Control+K');
    await editor.page.keyboard.press('Control+G');
    await editor.title('Sightline: Search Code').waitFor();
    await editor.query.fill('');
    await eventually(async () => {
      const lines = await editor.lines();
      const examples = lines.findIndex(({ divider }) => divider === 'examples');
      assert.equal(lines.findIndex(({ divider }) => divider === 'filters') - examples, 3);
      const labels = lines.map(({ label }) => label);
      for (const wanted of ['lang:', '-path:', 'in:', '-in:', '"…"', 're:/…/'])
        assert.ok(labels.includes(wanted), wanted);
    });
    await editor.picture('03-empty');
  },
);

step('a search by meaning opens the right line', async () => {
  const query = 'purchase payment';
  const source = readFileSync(join(project, 'till.py'), 'utf8');
  for (const word of query.split(' '))
    assert.ok(!source.toLowerCase().includes(word), `the code says "${word}"`);
  await search(query);
  await assertShows(query);
  await editor.picture('04-results');
  await editor.page.keyboard.press('Enter');
  await eventually(async () => assert.equal(await editor.activeTab(), 'till.py'));
  const line = source.split('\n').findIndex((text) => text.startsWith('def charge_customer')) + 1;
  const column = 'def '.length + 1;
  await eventually(async () => assert.deepEqual(await editor.cursor(), { line, column }));
  await editor.picture('05-opened');
});

step('the order on screen is the order of the server', async () => {
  // These queries share words with some labels: VS Code's own sorting would move those up.
  for (const query of ['open file', 'parse header value', 'queue get', 'encode']) {
    await search(query);
    await assertShows(query);
  }
});

step('ranks are stable while typing: the list is always one answer as a whole', async () => {
  await search('parse');
  await assertShows('parse');
  const seen = [];
  for (const letter of ' header lang:pyt') {
    await editor.page.keyboard.type(letter);
    for (let look = 0; look < 3; look += 1) seen.push(places(await editor.lines()));
  }
  await assertShows('parse header');
  const { sent, received } = recorded(record);
  const asked = sent.filter(({ method }) => method === SEARCH).map(({ id }) => id);
  const answers = received
    .filter(({ id, result }) => result && asked.includes(id))
    .map(({ result: { results } }) =>
      [false, true].flatMap((weak) => results.filter((hit) => !!hit.weak === weak)),
    )
    .map((hits) => hits.map(shownAs).join('\n'));
  for (const list of seen) {
    assert.ok(list.length > 0, 'the list was empty in between');
    assert.ok(
      answers.some((answer) => `${answer}\n`.startsWith(`${list.join('\n')}\n`)),
      `no answer of the server begins with ${list}`,
    );
  }
});

step('the keys for a hit are shown above the list', async () => {
  await search('open file');
  const keys = 'Ctrl+Enter to the side · Alt+Enter related · Ctrl+Shift+Enter keep';
  await editor.page.locator('.quick-input-widget').getByText(keys).waitFor();
});

step('a hit shows its signature, its best line and why it is there', async () => {
  const query = 'purchase payment';
  await search(query);
  const [first] = (await answerTo(query)).results;
  await eventually(async () => {
    const [line] = await editor.lines();
    assert.equal(line.description, `${shownAs(first)} · ${first.why}`);
    assert.match(line.detail, /^def charge_customer\(.+ {2}· {2}Take the money for an invoice/);
  });
});

step('weak hits are shown after a divider', async () => {
  await search('purchase payment');
  const { results } = await answerTo('purchase payment');
  assert.ok(results.some((hit) => hit.weak));
  const sure = results.filter((hit) => !hit.weak).length;
  await eventually(async () => {
    const lines = await editor.lines();
    assert.equal(
      lines.findIndex(({ divider }) => divider === 'less likely'),
      sure,
    );
  });
});

step('gibberish is answered with "Nothing close", and Enter opens nothing', async () => {
  await search('zxqv blorgh wibble');
  assert.ok((await answerTo('zxqv blorgh wibble')).results.every((hit) => hit.weak));
  await eventually(async () => assert.equal((await editor.lines())[0].label, 'Nothing close'));
  await editor.picture('03b-nothing-close');
  await editor.page.keyboard.press('Enter');
  await editor.closePicker();
  assert.equal(await editor.activeTab(), 'till.py');
});

step('moving the focus previews the hit, and Escape goes back and leaves nothing behind', async () => {
  const folders = () => editor.page.locator('.explorer-folders-view [aria-expanded=true]').count();
  const before = { tabs: await editor.tabs(), folders: await folders(), cursor: await editor.cursor() };
  await search('split a command line into words');
  await assertShows('split a command line into words');
  await editor.page.keyboard.press('ArrowDown');
  const [, second] = (await answerTo('split a command line into words')).results.filter((hit) => !hit.weak);
  const name = second.path.split('/').at(-1);
  await eventually(async () => assert.equal(await editor.activeTab(), name));
  await eventually(async () => assert.equal((await editor.cursor()).line, landing(second).line + 1));
  await editor.picture('06-preview');
  await editor.closePicker();
  await eventually(async () => assert.equal(await editor.activeTab(), 'till.py'));
  const focus = () => editor.page.evaluate(() => !!document.activeElement?.closest('.part.editor'));
  await eventually(async () => assert.ok(await focus(), 'the editor has not got the focus back'));
  await eventually(async () =>
    assert.deepEqual(
      { tabs: await editor.tabs(), folders: await folders(), cursor: await editor.cursor() },
      before,
    ),
  );
});

step('a preview of a file in a folder unfolds nothing', async () => {
  const unfolded = () =>
    editor.page.locator('.explorer-folders-view .monaco-list-row[aria-expanded=true]').count();
  const before = await unfolded();
  await search('parse http headers path:http/**');
  await eventually(async () => assert.match((await editor.activeTab()) ?? '', /client|server|cookie/));
  assert.equal(await unfolded(), before);
  await editor.closePicker();
});

step('recent searches are offered', async () => {
  await search('');
  await eventually(async () => {
    const lines = await editor.lines();
    assert.equal(lines[0].divider, 'recent');
    assert.ok(lines.some(({ label }) => label === 'split a command line into words'));
  });
  await editor.closePicker();
  await search('split a command line into words');
  await assertShows('split a command line into words');
  await editor.closePicker();
});

step('the last query is remembered, and typing replaces it', async () => {
  await editor.command('Sightline: Search Code');
  await eventually(async () =>
    assert.equal(await editor.query.inputValue(), 'split a command line into words'),
  );
  await editor.page.keyboard.type('queue');
  assert.equal(await editor.query.inputValue(), 'queue');
});

step('typing fast leaves no stale list', async () => {
  const typed = 'send an http request with headers';
  const asked = () => recorded(record).sent.filter(({ method }) => method === SEARCH).length;
  const before = asked();
  await search(typed, 25);
  await assertShows(typed);
  const during = asked() - before;
  assert.ok(during < typed.length / 2, `${during} requests for ${typed.length} keystrokes`);
  await editor.query.fill('temporary directory');
  await editor.page.keyboard.press('Enter');
  const [first] = (await answerTo('temporary directory')).results;
  await eventually(async () => assert.equal(await editor.activeTab(), first.path.split('/').at(-1)));
});

step('filters are completed, and a wrong one is explained', async () => {
  const tabs = await editor.tabs();
  await search('open lang:');
  await eventually(async () => assert.equal((await editor.lines())[0].label, 'lang:python'));
  await search('open lang:pyt');
  await eventually(async () => assert.equal((await editor.lines())[0].label, 'lang:python'));
  await assertShows('open');
  await editor.picture('07-filter-hints');
  await editor.page.keyboard.press('Enter');
  await eventually(async () => assert.equal(await editor.query.inputValue(), 'open lang:python '));
  await assertShows('open lang:python ');
  await search('open lang:klingon');
  await eventually(async () => assert.match((await editor.lines())[0].label, /lang:klingon/));
  await eventually(
    async () => assert.deepEqual(await editor.tabs(), tabs),
    'a preview was left behind the error',
  );
  await editor.picture('08-filter-error');
});

step('scopes, exact text and patterns are completed, and the current file is sent along', async () => {
  await search('open in:');
  await eventually(async () => {
    const labels = (await editor.lines()).slice(0, 3).map(({ label }) => label);
    assert.deepEqual(labels, ['in:changed', 'in:here', 'in:open']);
  });
  await editor.picture('07b-scopes');
  await search('open re:/def o');
  await eventually(async () => assert.equal((await editor.lines())[0].label, 're:/def o/'));
  await editor.page.keyboard.press('Enter');
  await eventually(async () => assert.equal(await editor.query.inputValue(), 'open re:/def o/ '));
  await search('open in:here');
  await eventually(async () => {
    const last = recorded(record).sent.findLast(({ method }) => method === SEARCH);
    assert.equal(last.params.query, 'open in:here');
    assert.equal(last.params.currentDocument.split('/').at(-1), 'tempfile.py');
  });
});

step('Enter on "did you mean" applies it, and no message is cut', async () => {
  await search('open lang:pyhton');
  await eventually(async () => assert.equal(await editor.focused(), 'Did you mean lang:python?'));
  assert.deepEqual(await editor.cutLabels(), []);
  await editor.page.keyboard.press('Enter');
  await eventually(async () => assert.equal(await editor.query.inputValue(), 'open lang:python'));
  await assertShows('open lang:python');
});

step('a search without results says what to do', async () => {
  await search('open path:no/such/folder/**');
  await eventually(async () => assert.equal((await editor.lines())[0].label, 'No code found'));
  await editor.picture('09-nothing');
});

step('more results can be requested', async () => {
  await search('read');
  await assertShows('read');
  await editor.page.keyboard.press('ArrowUp');
  await eventually(async () => assert.equal((await editor.lines()).at(-1).label, 'Show more results'));
  await editor.page.keyboard.press('Enter');
  await eventually(() => {
    const [first, second] = recorded(record)
      .sent.filter(({ method }) => method === SEARCH)
      .slice(-2);
    assert.equal(first.params.limit, undefined);
    assert.ok(second.params.limit > 10);
  });
  await editor.closePicker();
});

step('a new function is found as soon as it is saved', async () => {
  await editor.openFile('till.py', 1);
  const before = recorded(record).received.length;
  await editor.page.keyboard.press('Control+End');
  await editor.page.keyboard.type('\n\ndef marmalade_toaster(slices):\n"""Browns bread."""\n');
  await editor.page.keyboard.press('Control+S');
  await eventually(() => {
    const news = recorded(record).received.slice(before);
    assert.ok(news.some(({ method }) => method === '$/sightline/statusChanged'));
  });
  await search('marmalade toaster');
  await eventually(async () => assert.equal((await editor.lines())[0].label, 'marmalade_toaster'));
  await editor.picture('10-saved');
  await editor.closePicker();
});

step('a hit opens to the side', async () => {
  await search('marmalade toaster');
  await eventually(async () => assert.equal((await editor.lines())[0].label, 'marmalade_toaster'));
  await editor.rows.first().hover();
  await editor.rows.first().getByLabel('Open to the Side (Ctrl+Enter)').click();
  await eventually(async () => assert.equal(await editor.page.locator('.editor-group-container').count(), 2));
  await editor.command('View: Join All Editor Groups');
});

step('keys open to the side and find related code', async () => {
  await search('marmalade toaster');
  await eventually(async () => assert.equal((await editor.lines())[0].label, 'marmalade_toaster'));
  await editor.page.keyboard.press('Control+Enter');
  await eventually(async () => assert.equal(await editor.page.locator('.editor-group-container').count(), 2));
  await editor.command('View: Join All Editor Groups');
  await search('purchase payment');
  await eventually(async () => assert.equal((await editor.lines())[0].label, 'charge_customer'));
  await editor.page.keyboard.press('Alt+Enter');
  await editor.title('Sightline: Related to till.py').waitFor();
  await editor.closePicker();
});

step('a hover links to related code', async () => {
  await editor.openFile('shlex.py');
  await editor.hoverDefinition('quote');
  const hover = editor.page.locator('.monaco-hover:visible');
  await hover.getByText('Find related').waitFor();
  await editor.picture('11-hover');
  await hover.getByText('Find related').click();
  await editor.title('Sightline: Related to shlex.py').waitFor();
  await editor.rows.first().waitFor();
  const { results } = await eventually(() => {
    const answer = lastAnswer(record, 'textDocument/related');
    assert.ok(answer);
    return answer;
  });
  await eventually(async () => {
    const lines = await editor.lines();
    assert.deepEqual(places(lines), results.slice(0, lines.length).map(shownAs));
    const dividers = lines.map(({ divider }) => divider).filter(Boolean);
    assert.deepEqual(dividers, [...new Set(results.slice(0, lines.length).map(({ reason }) => reason))]);
  });
  await editor.picture('12-related');
  await editor.closePicker();
});

step('related code is offered in the context menu and as a code action', async () => {
  await editor.definition('quote').click({ button: 'right' });
  await editor.page.locator('.context-view').getByText('Find Related').waitFor();
  await editor.picture('13-context-menu');
  await editor.page.keyboard.press('Escape');
  await editor.page.keyboard.press('Control+.');
  await editor.page.locator('.action-widget').getByText('Find related').waitFor();
  await editor.picture('14-code-action');
  await editor.page.keyboard.press('Enter');
  await editor.title('Sightline: Related to shlex.py').waitFor();
  await editor.closePicker();
});

step('the selection can be searched for', async () => {
  await editor.openFile('till.py', 1);
  await editor.page.keyboard.press('Control+L');
  await editor.command('Sightline: Search Code for Selection');
  const [selected] = readFileSync(join(project, 'till.py'), 'utf8').split('\n');
  await eventually(async () => assert.equal(await editor.query.inputValue(), selected.trim()));
  await editor.closePicker();
});

step('symbols come through the server', async () => {
  await editor.page.keyboard.press('Control+T');
  await editor.query.fill('#marmalade_toaster');
  await eventually(async () => assert.match((await editor.lines())[0].label, /marmalade_toaster/));
  assert.equal((await editor.lines())[0].description, 'till.py');
  await editor.query.fill('#amount');
  await eventually(async () => assert.equal((await editor.lines())[0].description, 'Item • till.py'));
  await editor.picture('15-symbols');
  await editor.query.fill('#marmalade_toaster');
  await eventually(async () => assert.match((await editor.lines())[0].label, /marmalade_toaster/));
  await editor.page.keyboard.press('Enter');
  await eventually(async () => assert.equal(await editor.activeTab(), 'till.py'));
});

step('settings read like settings, and experiments are not among them', async () => {
  const page = editor.page.locator('.settings-editor');
  const find = async (text) => {
    await page.locator('.suggest-input-container').click();
    await editor.page.keyboard.press('Control+A');
    await editor.page.keyboard.type(`@ext:sightline.sightline ${text}`);
  };
  await editor.command('Preferences: Open Settings (UI)');
  await find('percent');
  await page.locator('.setting-item-label', { hasText: 'Cpu Percent' }).waitFor();
  await editor.picture('15b-settings');
  await find('indexing languages');
  await page.locator('.setting-item-description', { hasText: '{ ".inc": "php" }' }).waitFor();
  await editor.picture('15c-settings');
  await find('tuning');
  await page.getByText('No Settings Found').first().waitFor();
  await editor.page.keyboard.press('Escape');
  await page.waitFor({ state: 'hidden' });
});

step('the status page shows every folder', async () => {
  await editor.command('Sightline: Show Status');
  const page = editor.page.frameLocator('iframe.webview').frameLocator('iframe');
  await page.getByText('Parse health').waitFor();
  const text = await page.locator('body').innerText();
  for (const wanted of [project, 'ready', 'Model', 'Size on disk', 'Last error'])
    assert.ok(text.includes(wanted), wanted);
  await editor.picture('16-status');
  await page.getByText('Search code').click();
  await editor.title('Sightline: Search Code').waitFor();
  await editor.closePicker();
});

step('debug info holds versions and settings', async () => {
  await editor.command('Sightline: Collect Debug Info');
  await editor.page.locator('.view-line').filter({ hasText: '"extension"' }).waitFor();
  await editor.picture('17-debug-info');
});

step('the server is sent what was set, and no defaults', () => {
  const { sent, received } = recorded(record);
  const pulls = received.filter(({ method }) => method === 'workspace/configuration').map(({ id }) => id);
  const pulled = sent
    .filter(({ id, result }) => result && pulls.includes(id))
    .flatMap(({ result }) => result);
  assert.ok(pulled.length > 0);
  const expected = { search: { per_file: 4, rerank_top: 15, tuning: {} } };
  for (const settings of pulled) assert.deepEqual(settings, expected);
});

step('a killed server comes back and answers', async () => {
  const pid = Number(readFileSync(join(record, 'pid'), 'utf8'));
  process.kill(pid, 'SIGKILL');
  await eventually(() => assert.notEqual(Number(readFileSync(join(record, 'pid'), 'utf8')), pid));
  await editor.picture('18-restarting');
  await search('marmalade toaster');
  await eventually(async () => assert.equal((await editor.lines())[0].label, 'marmalade_toaster'));
  await editor.picture('19-recovered');
  await editor.closePicker();
});

step('reindex and clear reach the server', async () => {
  const executed = () =>
    recorded(record)
      .sent.filter(({ method }) => method === 'workspace/executeCommand')
      .map(({ params }) => params.command);
  await editor.command('Sightline: Reindex');
  await eventually(() => assert.deepEqual(executed(), ['sightline.reindex']));
  await editor.command('Sightline: Clear Index');
  await editor.page.locator('.monaco-dialog-box').getByText('Clear Index').click();
  await eventually(() => assert.deepEqual(executed(), ['sightline.reindex', 'sightline.clear']));
});
