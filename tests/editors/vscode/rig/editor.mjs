// A real VS Code (code-server) in a real browser (Chromium), and the user actions that the tests need.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
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
};
const START_MS = 60_000;
// Long timeouts, because the machine may be busy; no test measures time.
const WAIT_MS = 45_000;
const INDEXED_MS = 120_000;
const FADE_MS = 400;
const FOCUS_MS = 300;
const PICKER_MS = 5_000;

// Runs the exit handlers, which end the child processes, also when the test runner times out.
process.once('SIGTERM', () => process.exit(1));

const { chromium } = createRequire(join(CACHE, 'playwright', 'package.json'))('playwright-core');

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilAnswers(url) {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(200)) {
    if (
      await fetch(url).then(
        (response) => response.ok,
        () => false,
      )
    )
      return;
  }
  throw new Error('code-server did not start');
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
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    const options = ['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'];
    if (!trust) options.push('--disable-workspace-trust');
    const args = [CODE_SERVER, '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none', ...options, ...folders];
    const output = openSync(log, 'a');
    this.process = spawn(NODE, args, { env, stdio: ['ignore', output, output], detached: true });
    process.once('exit', () => this.kill());
    await untilAnswers(`${this.url}/healthz`);
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
    await this.page.goto(`${this.url}/?${kind}=${encodeURIComponent(workspace)}`);
    await this.page.locator('.statusbar').waitFor();
  }

  async stop() {
    await this.browser?.close();
    this.kill();
  }

  /** Ends the whole process group: code-server starts an extension host, which starts the language server. */
  kill() {
    if (this.process) process.kill(-this.process.pid, 'SIGTERM');
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

  /** Opens a file of the workspace, at a line if given. */
  async openFile(path, line) {
    const name = path.split('/').at(-1);
    await this.choose('Control+P', line ? `${path}:${line}` : path, name);
    // The file may have been active already: a key pressed now would go to the picker, or be undone by it.
    await this.query.waitFor({ state: 'hidden' });
    await eventually(async () => {
      assert.equal(await this.activeTab(), name);
      if (line) assert.equal((await this.cursor()).line, line);
    });
  }

  /** Opens one of VS Code's pickers and accepts its first line; retries if the picker lost the focus. */
  async choose(key, text, expected) {
    await eventually(async () => {
      await this.closePicker();
      await this.page.keyboard.press(key);
      await this.query.fill(text, { timeout: PICKER_MS });
      await this.rows.first().filter({ hasText: expected }).waitFor({ timeout: PICKER_MS });
      // An editor that regains the focus late closes the picker, and Enter would edit its text.
      await sleep(FOCUS_MS);
      assert.equal(await this.query.inputValue({ timeout: 1000 }), text);
      assert.ok(await this.query.isVisible());
      await this.page.keyboard.press('Enter');
    });
  }

  /** Closes the picker and waits until the previous editor has the focus again. */
  async closePicker() {
    if (!(await this.query.isVisible())) return;
    await this.page.keyboard.press('Escape');
    await this.query.waitFor({ state: 'hidden' });
    await sleep(FOCUS_MS);
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

  /** Goes to a definition of the open file and hovers over its name. */
  async hoverDefinition(name) {
    await this.choose('Control+Shift+O', `@${name}`, name);
    await this.definition(name).hover();
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
    return this.page
      .locator('.quick-input-list .monaco-list-row.focused .label-name')
      .first()
      .textContent({ timeout: 1000 });
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
