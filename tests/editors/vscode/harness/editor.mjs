// A real VS Code (code-server) in a real browser (Chromium), and the user actions that the tests need.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const CACHE = join(process.env.SIGHTLINE_DEV_CACHE ?? join(homedir(), '.cache', 'sightline-dev'), 'vscode');
const NODE = join(CACHE, 'node', 'bin', 'node');
const CODE_SERVER = join(CACHE, 'code-server', 'node_modules', 'code-server', 'out', 'node', 'entry.js');
const CHROMIUM = '/usr/bin/chromium';
const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const USER_SETTINGS = {
  'workbench.colorTheme': 'Dark Modern',
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'editor.minimap.enabled': false,
  'files.autoSave': 'off',
  // What is closed is gone at once, and what takes the focus late closes no picker: keys go to its field anyway.
  'workbench.reduceMotion': 'on',
  'workbench.quickOpen.closeOnFocusLost': false,
};
// Long timeouts, because the machine may be busy; no test measures time.
const START_MS = 120_000;
const WAIT_MS = 120_000;
const END_MS = 10_000;
export const INDEXED_MS = 180_000;
/** How long one attempt of several may take. */
export const ATTEMPT_MS = 10_000;
const FADE_MS = 400;
const FOCUS_MS = 3_000;

// Runs the exit handlers, which end the child processes, also when the test runner times out.
process.once('SIGTERM', () => process.exit(1));

const { chromium } = createRequire(join(CACHE, 'playwright', 'package.json'))('playwright-core');

/** Waits until code-server, which chooses a free port, has written its address to its log. */
async function address(log) {
  return eventually(() => {
    const found = /HTTP server listening on (http:\S+?)\/?$/m.exec(readFileSync(log, 'utf8'));
    assert.ok(found, 'code-server did not start');
    return found[1];
  }, START_MS);
}

export class Editor {
  /**
   * Starts VS Code on a workspace, with extensions. `home` is a fresh folder for everything it writes; `trust`
   * keeps workspace trust as shipped; `env` is added to the extension host's environment, `path` is its PATH;
   * `keybindings` are the user's key bindings.
   */
  static async start({
    home,
    workspace,
    extensions,
    machineSettings = {},
    userSettings = {},
    keybindings = [],
    trust = false,
    env = {},
    path,
  }) {
    const editor = new Editor();
    editor.artefacts = process.env.SIGHTLINE_ARTEFACTS ?? join(home, 'artefacts');
    mkdirSync(editor.artefacts, { recursive: true });
    const data = join(home, 'data');
    writeSettings(join(data, 'User'), { ...USER_SETTINGS, ...userSettings });
    writeFileSync(join(data, 'User', 'keybindings.json'), JSON.stringify(keybindings));
    writeSettings(join(data, 'Machine'), machineSettings);
    const folders = ['--user-data-dir', data, '--extensions-dir', join(home, 'extensions')];
    const own = {
      HOME: home,
      SIGHTLINE_CACHE_DIR: join(home, 'index'),
      SHELL: '/bin/bash',
      EXTENSIONS_GALLERY: '{}',
    };
    const environment = { ...process.env, ...own, ...env };
    // VS Code asks a login shell for the environment, so that is where a PATH has to be set.
    if (path) writeFileSync(join(home, '.profile'), `export PATH='${path}'\n`);
    install(extensions, folders, environment);
    await editor.serve(folders, environment, trust, join(home, 'code-server.log'));
    await editor.browse(join(home, 'browser'), workspace);
    return editor;
  }

  async serve(folders, env, trust, log) {
    const options = ['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'];
    if (!trust) options.push('--disable-workspace-trust');
    const args = [CODE_SERVER, '--bind-addr', '127.0.0.1:0', '--auth', 'none', ...options, ...folders];
    const output = openSync(log, 'a');
    this.process = spawn(NODE, args, { env, stdio: ['ignore', output, output], detached: true });
    process.once('exit', () => this.kill());
    this.url = await address(log);
  }

  async browse(profile, workspace) {
    this.browser = await chromium.launchPersistentContext(profile, {
      executablePath: CHROMIUM,
      headless: true,
      args: BROWSER_FLAGS,
      viewport: { width: 1280, height: 800 },
    });
    await this.browser.grantPermissions(['clipboard-read', 'clipboard-write']);
    this.page = this.browser.pages()[0] ?? (await this.browser.newPage());
    this.page.setDefaultTimeout(WAIT_MS);
    const kind = workspace.endsWith('.code-workspace') ? 'workspace' : 'folder';
    await this.page.goto(`${this.url}/?${kind}=${encodeURIComponent(workspace)}`, { timeout: START_MS });
    await this.page.locator('.statusbar').waitFor({ timeout: START_MS });
  }

  /** Ends everything and waits for it, so that nothing writes into the home folder any more. */
  async stop() {
    await this.browser?.close();
    const group = this.process?.pid;
    this.kill();
    if (group) await untilEnded(group);
  }

  /** Ends the whole process group: code-server starts an extension host, which starts the language server. */
  kill() {
    if (this.process) signal(this.process.pid, 'SIGTERM');
    this.process = undefined;
  }

  /** Writes a screenshot, after animations have ended. */
  async picture(name) {
    await sleep(FADE_MS);
    await this.page.screenshot({ path: join(this.artefacts, `vscode-${name}.png`) });
  }

  /** Runs a command from the palette by its title. */
  async command(title) {
    await this.choose('F1', `>${title}`, title);
  }

  /** Opens a file of the workspace, at a line if given, and waits until its editor has the focus. */
  async openFile(path, line) {
    const name = path.split('/').at(-1);
    await this.choose('Control+P', line ? `${path}:${line}` : path, name);
    await this.untilClosed();
    await eventually(async () => {
      assert.equal(await this.activeTab(), name);
      if (line) assert.equal((await this.cursor()).line, line);
    });
    await this.untilFocused('.part.editor');
  }

  /** Writes a query into the search, which is opened if it is not open. */
  async search(query) {
    const title = this.title('Sightline: Search Code');
    if (!(await title.isVisible())) await this.command('Sightline: Search Code');
    await title.waitFor();
    await this.query.fill(query);
  }

  /** Opens one of VS Code's pickers, and accepts the line with this label once it is the focused one. */
  async choose(keys, text, label) {
    await eventually(async () => {
      await this.openPicker(keys);
      await this.query.fill(text, { timeout: ATTEMPT_MS });
      await eventually(async () => assert.equal(await this.focused(), label), ATTEMPT_MS);
      await this.query.press('Enter', { timeout: ATTEMPT_MS });
      // The picker closes, or another one takes its place.
      await eventually(async () => assert.notEqual(await this.queryText(), text), ATTEMPT_MS);
    });
  }

  /** Opens a picker with keys; the keys of a chord are separated by spaces. */
  async openPicker(keys) {
    await eventually(async () => {
      await this.closePicker();
      for (const key of keys.split(' ')) await this.page.keyboard.press(key);
      await this.query.waitFor({ timeout: ATTEMPT_MS });
    });
  }

  /** Accepts the focused line of the picker and waits until the picker is closed. */
  async accept() {
    await this.query.press('Enter');
    await this.untilClosed();
  }

  /** Closes the picker and waits until the editor has the focus again, which it gets after the preview is gone. */
  async closePicker() {
    if (!(await this.query.isVisible())) return;
    await this.query.press('Escape');
    await this.untilClosed();
    const hasFocus = () => document.activeElement !== document.body;
    // Nothing gets the focus if no file was open.
    await eventually(async () => assert.ok(await this.page.evaluate(hasFocus)), FOCUS_MS).catch(() => {});
  }

  /** Waits until the picker is closed and its preview is gone: a tab in italics without the path of a file. */
  async untilClosed() {
    await this.query.waitFor({ state: 'hidden' });
    const previews = this.page.locator('.tab .tab-label.italic:not([aria-label^="/"])');
    await eventually(async () => assert.equal(await previews.count(), 0));
  }

  /** Waits until there are `count` groups of editors. */
  async untilGroups(count) {
    const groups = this.page.locator('.editor-group-container');
    await eventually(async () => assert.equal(await groups.count(), count));
  }

  async joinGroups() {
    await this.command('View: Join All Editor Groups');
    await this.untilGroups(1);
  }

  /** Waits until the focus is inside an element. */
  async untilFocused(selector) {
    await eventually(async () =>
      assert.ok(await this.isFocused(selector), `the focus is not in ${selector}`),
    );
  }

  /** Whether the focus is inside an element. */
  isFocused(selector) {
    return this.page.evaluate((inside) => !!document.activeElement?.closest(inside), selector);
  }

  /** The text in the field of the picker, or undefined without a picker. */
  async queryText() {
    return (await this.query.isVisible()) ? this.query.inputValue({ timeout: 1000 }) : undefined;
  }

  get query() {
    return this.page.locator('.quick-input-widget input[type=text]');
  }

  get rows() {
    return this.page.locator('.quick-input-list .monaco-list-row');
  }

  get statusItem() {
    return this.page.locator('.statusbar-item[id="sightline.sightline.sightline.status"]');
  }

  /** The accessible label of the status-bar item. */
  statusLabel() {
    return this.statusItem.locator('a').getAttribute('aria-label', { timeout: 1000 });
  }

  /** Waits until everything is indexed. */
  async untilReady() {
    await eventually(async () => assert.match(await this.statusLabel(), /^Sightline, ready/), INDEXED_MS);
  }

  /** The number of picker labels that are truncated. */
  cutLabels() {
    return this.rows.locator('.quick-input-list-label .label-name').evaluateAll((names) => {
      const isCut = (name) => {
        const inner = name.getBoundingClientRect();
        const outer = name.closest('.quick-input-list-row, .monaco-icon-label').getBoundingClientRect();
        return inner.right > outer.right + 1 || name.scrollWidth > name.clientWidth + 1;
      };
      return names.filter(isCut).map((name) => name.textContent);
    });
  }

  title(text) {
    return this.page.locator('.quick-input-widget:visible .quick-input-title').filter({ hasText: text });
  }

  titleText() {
    return this.page.locator('.quick-input-widget:visible .quick-input-title').innerText();
  }

  /** Hovers over something until this appears; the mouse comes from elsewhere, or nothing would be shown again. */
  async hoverUntil(target, shown) {
    await eventually(async () => {
      await this.page.mouse.move(0, 0);
      await target.hover({ timeout: ATTEMPT_MS });
      await shown.waitFor({ timeout: ATTEMPT_MS });
    });
  }

  definition(name) {
    return this.page
      .locator('.view-line')
      .filter({ hasText: `def ${name}` })
      .getByText(name, { exact: true })
      .first();
  }

  /** The label of the line that Enter accepts. */
  async focused() {
    const label = this.page.locator('.quick-input-list .monaco-list-row.focused .label-name').first();
    // An icon before it leaves a space.
    return (await label.textContent({ timeout: 1000 })).trim();
  }

  /** The names of all open tabs. */
  async tabs() {
    return this.page.locator('.tab').evaluateAll((tabs) => tabs.map((tab) => tab.dataset.resourceName));
  }

  /** The visible lines of the picker from the top: label, description, detail and the divider above of each. */
  async lines() {
    // VS Code reuses rows for other lines, so a row without a divider may contain a hidden one.
    const lines = await this.rows.evaluateAll((rows) =>
      rows.map((row) => ({
        index: Number(row.dataset.index),
        label: row.querySelector('.quick-input-list-label .label-name')?.textContent ?? '',
        description: row.querySelector('.quick-input-list-label .label-description')?.textContent ?? '',
        detail: row.querySelector('.quick-input-list-label-meta')?.textContent ?? '',
        divider: [...row.querySelectorAll('.quick-input-list-separator')]
          .filter((each) => each.checkVisibility())
          .map((each) => each.textContent)
          .join(''),
      })),
    );
    return lines.sort((a, b) => a.index - b.index);
  }

  /** The cursor position shown in the status bar. */
  async cursor() {
    const text = await this.page.locator('.statusbar-item[id="status.editor.selection"]').innerText();
    const [line, column] = text.match(/\d+/g).map(Number);
    return { line, column };
  }

  /** The name of the active tab, which may not be a file. */
  async activeTab() {
    return this.page
      .locator('.editor-group-container.active .tab.active')
      .getAttribute('data-resource-name', { timeout: 1000 });
  }
}

/** Signals a process group; it may have ended already. */
function signal(group, name) {
  try {
    process.kill(-group, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function isRunning(group) {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

async function untilEnded(group) {
  const ended = () => assert.ok(!isRunning(group));
  await eventually(ended, END_MS).catch(() => signal(group, 'SIGKILL'));
}

function writeSettings(folder, settings) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings, null, 2));
}

function install(extensions, folders, env) {
  const wanted = extensions.flatMap((vsix) => ['--install-extension', vsix]);
  const args = [CODE_SERVER, ...folders, ...wanted, '--force'];
  const { status, stdout, stderr } = spawnSync(NODE, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the extensions did not install: ${stdout}${stderr}`);
}

/** Retries until the attempt does not throw; on timeout throws the error of the last attempt. */
export async function eventually(attempt, timeoutMs = WAIT_MS) {
  for (const end = Date.now() + timeoutMs; ; await sleep(100)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
