// A machine without the server: the extension reports what is missing and installs it if the user agrees.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Editor, eventually, INDEXED_MS } from './harness/editor.mjs';
import { freshHome, packaged, project, python, vsix } from './harness/setup.mjs';

const SETTLED_MS = 2_000;
const REPORT_MS = 10_000;
// A small part of the project is enough: the tests only need something to find.
const workspace = join(project, 'json');
let editor;

afterEach(() => editor?.stop());

/** The server's dependencies from the test environment, so that the installation needs no network. */
function dependencies(folder) {
  mkdirSync(folder);
  const ask = 'import sysconfig; print(sysconfig.get_path("purelib"))';
  const site = execFileSync(python, ['-c', ask], { encoding: 'utf8' }).trim();
  for (const name of readdirSync(site)) {
    if (!/sightline|\.pth$|^pip|^setuptools/.test(name)) symlinkSync(join(site, name), join(folder, name));
  }
  return folder;
}

/** A notification on its own or in the list of all: one that was not answered moves there after some seconds. */
function notification(text) {
  return editor.page.locator('.notification-list-item:visible').filter({ hasText: text });
}

/** Waits until a search finds something, which needs a running server and part of the index. */
async function assertAnswers() {
  await editor.search('decode');
  await eventually(async () => assert.match((await editor.lines())[0].description, /:\d+/), INDEXED_MS);
}

/** Waits until the debug info contains these texts. */
async function assertReported(...texts) {
  await eventually(async () => {
    await editor.command('Sightline: Collect Debug Info');
    for (const hasText of texts) {
      await editor.page.locator('.view-line').filter({ hasText }).waitFor({ timeout: REPORT_MS });
    }
  }, INDEXED_MS);
}

test('the server of the environment selected in the Python extension is used, until another is selected', async () => {
  const home = freshHome();
  const extensions = [packaged('python-extension', home), vsix];
  // The same environment by its other name.
  const other = join(dirname(python), basename(python) === 'python3' ? 'python' : 'python3');
  const env = { SIGHTLINE_OTHER_PYTHON: other };
  editor = await Editor.start({ home, workspace, extensions, env, path: '/usr/bin:/bin' });
  await assertAnswers();
  // code-server is a remote window: the extension runs beside the files, not in the browser.
  await assertReported('"origin": "environment"', '"remote": "127.0.0.1');
  await editor.command('Stand-in: Select Other');
  await assertReported(`"${other}"`);
});

test('a workspace that is not on disk is recognized, and nothing is offered for it', async () => {
  const home = freshHome();
  const virtual = join(home, 'virtual.code-workspace');
  writeFileSync(virtual, JSON.stringify({ folders: [{ uri: 'memfs:/project', name: 'project' }] }));
  editor = await Editor.start({ home, workspace: virtual, extensions: [vsix] });
  const label = () => editor.statusItem.getAttribute('aria-label');
  await eventually(async () => assert.match(await label(), /indexes folders on disk only/));
  assert.equal(await notification('Sightline').count(), 0);
  await editor.search('decode');
  await eventually(async () => {
    assert.match((await editor.rows.allInnerTexts()).join(' '), /No folder of this workspace/);
  });
  await editor.picture('26-virtual');
});

test('without Python there is a button to get it', async () => {
  const home = freshHome();
  const empty = join(home, 'empty');
  mkdirSync(empty);
  editor = await Editor.start({ home, workspace, extensions: [vsix], path: empty });
  await notification('Python 3.10 or newer was not found').getByText('Get Python').waitFor();
  assert.match(await editor.statusItem.innerText(), /Sightline/);
  await editor.picture('22-no-python');
});

test('without the server there is a button that installs it, and nothing happens before it is pressed', async () => {
  const home = freshHome();
  execFileSync(python, ['-m', 'venv', join(home, 'clean')]);
  const path = [join(home, 'clean', 'bin'), '/usr/bin', '/bin'].join(delimiter);
  const env = {
    PYTHONPATH: dependencies(join(home, 'dependencies')),
    PIP_NO_INDEX: '1',
  };
  editor = await Editor.start({ home, workspace, extensions: [vsix], env, path });
  const offer = notification('The Sightline server is not installed');
  await offer.getByText('Install', { exact: true }).waitFor();
  const environments = join(home, 'data', 'User', 'globalStorage', 'sightline.sightline', 'environments');
  await sleep(SETTLED_MS);
  assert.ok(!existsSync(environments), 'it was installed without consent');
  await editor.picture('23-not-installed');
  await editor.command('Notifications: Show Notifications');
  await offer.getByText('Install', { exact: true }).click();
  await notification('installing the server').waitFor();
  await editor.picture('24-installing');
  await eventually(() => {
    const made = readdirSync(environments).filter((name) =>
      existsSync(join(environments, name, 'installed')),
    );
    assert.equal(made.length, 1);
  }, INDEXED_MS);
  await assertAnswers();
  await editor.picture('25-installed');
});
