// A user session with the extension. The tests run in order: each starts where the previous one ended.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { ATTEMPT_MS, Editor, eventually, INDEXED_MS } from './harness/editor.mjs';
import { lastAnswer, recorded, serverPid } from './harness/messages.mjs';
import { freshHome, project, recordedServer, vsix } from './harness/setup.mjs';
import { steps } from './harness/steps.mjs';

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

async function searchShowsFirst(query, label) {
  await editor.search(query);
  await eventually(async () => assert.equal((await editor.lines())[0].label, label));
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
  await eventually(async () => assert.match(await watchStatus(), /Sightline \d+ %/), INDEXED_MS);
  // The server stands still meanwhile, or it might be ready before the search is open.
  const pid = serverPid(record);
  process.kill(pid, 'SIGSTOP');
  try {
    await editor.search('open file');
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
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await editor.untilReady();
  assert.ok(statusTexts.some((text) => /\d %$/.test(text)));
  await eventually(async () =>
    assert.match(await editor.statusLabel(), /^Sightline, ready, library: (\d+) of \1 files, \d+ parsed/),
  );
  await eventually(async () => assert.equal(await editor.titleText(), 'Sightline: Search Code'));
  await editor.closePicker();
  const tooltip = editor.page.locator('.workbench-hover').filter({ hasText: 'ready' });
  await editor.hoverUntil(editor.statusItem, tooltip);
  assert.match(await tooltip.innerText(), /^ready\nlibrary: (\d+) of \1 files, \d+ parsed/);
  await editor.picture('02-ready');
  await editor.page.mouse.move(640, 400);
});

step(
  'the key binding opens the search, and an empty query offers three examples and the filters',
  async () => {
    await editor.openPicker('Control+K Control+G');
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
  await editor.search(query);
  await assertShows(query);
  await editor.picture('04-results');
  await editor.accept();
  await eventually(async () => assert.equal(await editor.activeTab(), 'till.py'));
  const line = source.split('\n').findIndex((text) => text.startsWith('def charge_customer')) + 1;
  const column = 'def '.length + 1;
  await eventually(async () => assert.deepEqual(await editor.cursor(), { line, column }));
  await editor.picture('05-opened');
});

step('the order on screen is the order of the server', async () => {
  // These queries share words with some labels: VS Code's own sorting would move those up.
  for (const query of ['open file', 'parse header value', 'queue get', 'encode']) {
    await editor.search(query);
    await assertShows(query);
  }
});

step('ranks are stable while typing: the list is always one answer as a whole', async () => {
  await editor.search('parse');
  await assertShows('parse');
  const seen = [];
  let typed = 'parse';
  for (const letter of ' header lang:pyt') {
    typed += letter;
    await editor.query.fill(typed);
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
  await editor.search('open file');
  const keys = 'Ctrl+Enter to the side · Alt+Enter related · Ctrl+Shift+Enter keep';
  await editor.page.locator('.quick-input-widget').getByText(keys).waitFor();
});

step('a hit shows its signature, its best line and why it is there', async () => {
  const query = 'purchase payment';
  await editor.search(query);
  const [first] = (await answerTo(query)).results;
  await eventually(async () => {
    const [line] = await editor.lines();
    assert.equal(line.description, `${shownAs(first)} · ${first.why}`);
    assert.match(line.detail, /^def charge_customer\(.+ {2}· {2}Take the money for an invoice/);
  });
});

step('weak hits are shown after a divider', async () => {
  await editor.search('purchase payment');
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
  await editor.search('zxqv blorgh wibble');
  assert.ok((await answerTo('zxqv blorgh wibble')).results.every((hit) => hit.weak));
  await eventually(async () => assert.equal((await editor.lines())[0].label, 'Nothing close'));
  await editor.picture('03b-nothing-close');
  await editor.query.press('Enter');
  await editor.closePicker();
  await eventually(async () => assert.equal(await editor.activeTab(), 'till.py'));
});

step('moving the focus previews the hit, and Escape goes back and leaves nothing behind', async () => {
  const folders = () => editor.page.locator('.explorer-folders-view [aria-expanded=true]').count();
  const state = async () => ({
    tabs: await editor.tabs(),
    folders: await folders(),
    cursor: await editor.cursor(),
  });
  const before = await state();
  await editor.search('split a command line into words');
  await assertShows('split a command line into words');
  await editor.query.press('ArrowDown');
  const [, second] = (await answerTo('split a command line into words')).results.filter((hit) => !hit.weak);
  const name = second.path.split('/').at(-1);
  await eventually(async () => assert.equal(await editor.activeTab(), name));
  await eventually(async () => assert.equal((await editor.cursor()).line, landing(second).line + 1));
  await editor.untilFocused('.quick-input-widget');
  await editor.picture('06-preview');
  await editor.closePicker();
  await eventually(async () => assert.equal(await editor.activeTab(), 'till.py'));
  await editor.untilFocused('.part.editor');
  await eventually(async () => assert.deepEqual(await state(), before));
});

step('a picker that is opened right after Escape keeps the focus', async () => {
  const before = await editor.cursor();
  await editor.search('split a command line into words');
  await eventually(async () => assert.notEqual(await editor.activeTab(), 'till.py'));
  await editor.query.press('Escape');
  await editor.page.keyboard.press('Control+P');
  await eventually(async () => {
    assert.equal(await editor.activeTab(), 'till.py');
    assert.deepEqual(await editor.cursor(), before);
  });
  assert.ok(await editor.isFocused('.quick-input-widget'), 'the picker has lost the focus');
  await editor.closePicker();
});

step('a preview of a file in a folder unfolds nothing', async () => {
  const unfolded = () =>
    editor.page.locator('.explorer-folders-view .monaco-list-row[aria-expanded=true]').count();
  const before = await unfolded();
  await editor.search('parse http headers path:http/**');
  await eventually(async () => assert.match((await editor.activeTab()) ?? '', /client|server|cookie/));
  assert.equal(await unfolded(), before);
  await editor.closePicker();
  await eventually(async () => assert.equal(await editor.activeTab(), 'till.py'));
});

step('recent searches are offered', async () => {
  await editor.search('');
  await eventually(async () => {
    const lines = await editor.lines();
    assert.equal(lines[0].divider, 'recent');
    assert.ok(lines.some(({ label }) => label === 'split a command line into words'));
  });
  await editor.closePicker();
  await editor.search('split a command line into words');
  await assertShows('split a command line into words');
  await editor.closePicker();
});

step('the last query is remembered, and typing replaces it', async () => {
  await editor.command('Sightline: Search Code');
  await eventually(async () =>
    assert.equal(await editor.query.inputValue(), 'split a command line into words'),
  );
  await editor.query.pressSequentially('queue');
  await eventually(async () => assert.equal(await editor.query.inputValue(), 'queue'));
});

step('typing fast leaves no stale list', async () => {
  const typed = 'send an http request with headers';
  await editor.search('');
  await editor.query.pressSequentially(typed, { delay: 25 });
  await assertShows(typed);
});

step('Enter means the newest query, before its answer is there and before its list is shown', async () => {
  const isOpen = async (query) => {
    const first = (await answerTo(query)).results.find((hit) => !hit.weak);
    await eventually(async () => assert.equal(await editor.activeTab(), first.path.split('/').at(-1)));
  };
  for (const [old, query] of [
    ['parse xml', 'read a compressed file'],
    ['queue get', 'split a command line into words'],
  ]) {
    await editor.search(old);
    await assertShows(old);
    await editor.query.fill(query);
    // The server has answered, and VS Code is about to show it.
    await answerTo(query);
    await editor.accept();
    await isOpen(query);
  }
  await editor.search('parse xml');
  await assertShows('parse xml');
  await editor.query.fill('temporary directory');
  await editor.accept();
  await isOpen('temporary directory');
});

step('filters are completed, and a wrong one is explained', async () => {
  const tabs = await editor.tabs();
  await editor.search('open lang:');
  await eventually(async () => assert.equal((await editor.lines())[0].label, 'lang:python'));
  await editor.search('open lang:pyt');
  await eventually(async () => assert.equal((await editor.lines())[0].label, 'lang:python'));
  await assertShows('open');
  await editor.picture('07-filter-hints');
  await editor.query.press('Enter');
  await eventually(async () => assert.equal(await editor.query.inputValue(), 'open lang:python '));
  await assertShows('open lang:python ');
  await editor.search('open lang:klingon');
  await eventually(async () => assert.match((await editor.lines())[0].label, /lang:klingon/));
  await eventually(async () =>
    assert.deepEqual(await editor.tabs(), tabs, 'a preview was left behind the error'),
  );
  await editor.picture('08-filter-error');
});

step('scopes, exact text and patterns are completed, and the current file is sent along', async () => {
  await editor.search('open in:');
  await eventually(async () => {
    const labels = (await editor.lines()).slice(0, 3).map(({ label }) => label);
    assert.deepEqual(labels, ['in:changed', 'in:here', 'in:open']);
  });
  await editor.picture('07b-scopes');
  await editor.search('open re:/def o');
  await eventually(async () => assert.equal((await editor.lines())[0].label, 're:/def o/'));
  await editor.query.press('Enter');
  await eventually(async () => assert.equal(await editor.query.inputValue(), 'open re:/def o/ '));
  await editor.search('open in:here');
  await eventually(async () => {
    const last = recorded(record).sent.findLast(({ method }) => method === SEARCH);
    assert.equal(last.params.query, 'open in:here');
    assert.equal(last.params.currentDocument.split('/').at(-1), 'tempfile.py');
  });
});

step('Enter on "did you mean" applies it, and no message is cut', async () => {
  await editor.search('open lang:pyhton');
  await eventually(async () => assert.equal(await editor.focused(), 'Did you mean lang:python?'));
  assert.deepEqual(await editor.cutLabels(), []);
  await editor.query.press('Enter');
  await eventually(async () => assert.equal(await editor.query.inputValue(), 'open lang:python'));
  await assertShows('open lang:python');
});

step('a search without results says what to do', async () => {
  await editor.search('open path:no/such/folder/**');
  await eventually(async () => assert.equal((await editor.lines())[0].label, 'No code found'));
  await editor.picture('09-nothing');
});

step('more results can be requested', async () => {
  await editor.search('read');
  await assertShows('read');
  await editor.query.press('ArrowUp');
  await eventually(async () => assert.equal(await editor.focused(), 'Show more results'));
  await editor.query.press('Enter');
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
  await searchShowsFirst('marmalade toaster', 'marmalade_toaster');
  await editor.picture('10-saved');
  await editor.closePicker();
});

step('a hit opens to the side', async () => {
  await searchShowsFirst('marmalade toaster', 'marmalade_toaster');
  const row = editor.rows.filter({ hasText: 'marmalade_toaster' }).first();
  const button = row.getByLabel('Open to the Side (Ctrl+Enter)');
  await editor.hoverUntil(row, button);
  await button.click();
  await editor.untilGroups(2);
  await editor.joinGroups();
});

step('keys open to the side and find related code', async () => {
  await searchShowsFirst('marmalade toaster', 'marmalade_toaster');
  await editor.query.press('Control+Enter');
  await editor.untilGroups(2);
  await editor.joinGroups();
  await searchShowsFirst('purchase payment', 'charge_customer');
  await editor.query.press('Alt+Enter');
  await editor.title('Sightline: Related to till.py').waitFor();
  await editor.closePicker();
});

step('a hover links to related code', async () => {
  await editor.openFile('shlex.py');
  await editor.choose('Control+Shift+O', '@quote', 'quote');
  const link = editor.page.locator('.monaco-hover:visible').getByText('Find related');
  await editor.hoverUntil(editor.definition('quote'), link);
  await editor.picture('11-hover');
  await eventually(async () => {
    // The hover closes when the mouse leaves it on the way.
    if (!(await link.isVisible())) await editor.hoverUntil(editor.definition('quote'), link);
    await link.click({ timeout: ATTEMPT_MS });
  });
  await editor.title('Sightline: Related to shlex.py').waitFor();
  await eventually(async () => {
    const { results } = lastAnswer(record, 'textDocument/related');
    const lines = await editor.lines();
    assert.deepEqual(places(lines), results.slice(0, lines.length).map(shownAs));
    const dividers = lines.map(({ divider }) => divider).filter(Boolean);
    assert.deepEqual(dividers, [...new Set(results.slice(0, lines.length).map(({ reason }) => reason))]);
  });
  await editor.picture('12-related');
  await editor.closePicker();
});

step('related code is offered in the context menu and as a code action', async () => {
  const menu = editor.page.locator('.context-view').getByText('Find Related');
  await eventually(async () => {
    await editor.definition('quote').click({ button: 'right', timeout: ATTEMPT_MS });
    await menu.waitFor({ timeout: ATTEMPT_MS });
  });
  await editor.picture('13-context-menu');
  await editor.page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  const action = editor.page.locator('.action-widget').getByText('Find related');
  await eventually(async () => {
    await editor.untilFocused('.part.editor');
    await editor.page.keyboard.press('Control+.');
    await action.waitFor({ timeout: ATTEMPT_MS });
  });
  await editor.picture('14-code-action');
  await editor.page.keyboard.press('Enter');
  await editor.title('Sightline: Related to shlex.py').waitFor();
  await editor.closePicker();
});

step('the selection can be searched for', async () => {
  await editor.openFile('till.py', 1);
  await editor.page.keyboard.press('Control+L');
  await editor.page.locator('.statusbar-item', { hasText: /\(\d+ selected\)/ }).waitFor();
  await editor.command('Sightline: Search Code for Selection');
  const [selected] = readFileSync(join(project, 'till.py'), 'utf8').split('\n');
  await eventually(async () => assert.equal(await editor.query.inputValue(), selected.trim()));
  await editor.closePicker();
});

step('symbols come through the server', async () => {
  const first = async () => (await editor.lines())[0];
  await editor.openPicker('Control+T');
  await editor.query.fill('#amount');
  await eventually(async () => assert.equal((await first()).description, 'Item • till.py'));
  await editor.picture('15-symbols');
  await editor.query.fill('#marmalade_toaster');
  await eventually(async () => {
    assert.match((await first()).label, /marmalade_toaster/);
    assert.equal((await first()).description, 'till.py');
    assert.match(await editor.focused(), /marmalade_toaster/);
  });
  await editor.accept();
  await eventually(async () => assert.equal(await editor.activeTab(), 'till.py'));
});

step('settings read like settings, and experiments are not among them', async () => {
  const page = editor.page.locator('.settings-editor');
  const find = (text, shown) =>
    eventually(async () => {
      await page.locator('.suggest-input-container').click({ timeout: ATTEMPT_MS });
      await editor.page.keyboard.press('Control+A');
      await editor.page.keyboard.type(`@ext:sightline.sightline ${text}`);
      await shown.waitFor({ timeout: ATTEMPT_MS });
    });
  await editor.command('Preferences: Open Settings (UI)');
  await find('percent', page.locator('.setting-item-label', { hasText: 'Cpu Percent' }));
  await editor.picture('15b-settings');
  await find(
    'indexing languages',
    page.locator('.setting-item-description', { hasText: '{ ".inc": "php" }' }),
  );
  await editor.picture('15c-settings');
  await find('tuning', page.getByText('No Settings Found').first());
  await eventually(async () => {
    // The first Escape may close suggestions only.
    if (await page.isVisible()) await editor.page.keyboard.press('Escape');
    await page.waitFor({ state: 'hidden', timeout: ATTEMPT_MS });
  });
});

step('the status page shows every folder', async () => {
  await editor.command('Sightline: Show Status');
  const page = editor.page.frameLocator('iframe.webview').frameLocator('iframe');
  await page.getByText('Parse health').waitFor();
  await eventually(async () => {
    const text = await page.locator('body').innerText({ timeout: ATTEMPT_MS });
    for (const wanted of [project, 'ready', 'Model', 'Size on disk', 'Last error'])
      assert.ok(text.includes(wanted), wanted);
  });
  await editor.picture('16-status');
  const title = editor.title('Sightline: Search Code');
  await eventually(async () => {
    // The page is written anew whenever the status changes.
    if (!(await title.isVisible())) await page.getByText('Search code').click({ timeout: ATTEMPT_MS });
    await title.waitFor({ timeout: ATTEMPT_MS });
  });
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
  const pid = serverPid(record);
  process.kill(pid, 'SIGKILL');
  await eventually(() => assert.notEqual(serverPid(record), pid));
  await editor.picture('18-restarting');
  await searchShowsFirst('marmalade toaster', 'marmalade_toaster');
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
