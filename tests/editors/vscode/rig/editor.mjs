// A real VS Code (code-server) in a real browser (Chromium), and the few gestures that the tests need.
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
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'editor.minimap.enabled': false,
  'files.autoSave': 'off',
};
const START_MS = 60_000;

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
    if (await fetch(url).then((response) => response.ok, () => false)) return;
  }
  throw new Error('code-server did not start');
}

export class Editor {
  /**
   * Starts VS Code on a workspace. `home` is a fresh folder for everything it writes; `trust` keeps workspace
   * trust as shipped; `env` is added to the environment of the extension host.
   */
  static async start({ home, workspace, vsix, machineSettings = {}, userSettings = {}, trust = false, env = {} }) {
    const editor = new Editor();
    editor.artefacts = process.env.SIGHTLINE_ARTEFACTS ?? join(home, 'artefacts');
    mkdirSync(editor.artefacts, { recursive: true });
    const data = join(home, 'data');
    writeSettings(join(data, 'User'), { ...USER_SETTINGS, ...userSettings });
    writeSettings(join(data, 'Machine'), machineSettings);
    const folders = ['--user-data-dir', data, '--extensions-dir', join(home, 'extensions')];
    const environment = { ...process.env, HOME: home, EXTENSIONS_GALLERY: '{}', ...env };
    installExtension(vsix, folders, environment);
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
    await untilAnswers(`${this.url}/healthz`);
  }

  async browse(profile, workspace) {
    this.browser = await chromium.launchPersistentContext(profile, {
      executablePath: CHROMIUM,
      headless: true,
      args: BROWSER_FLAGS,
      viewport: { width: 1280, height: 800 },
    });
    this.page = this.browser.pages()[0] ?? (await this.browser.newPage());
    this.page.setDefaultTimeout(30_000);
    await this.page.goto(`${this.url}/?folder=${encodeURIComponent(workspace)}`);
    await this.page.locator('.statusbar').waitFor();
  }

  async stop() {
    await this.browser?.close();
    // The whole group: code-server starts an extension host, and that starts the language server.
    if (this.process) process.kill(-this.process.pid, 'SIGTERM');
  }

  /** Writes a screenshot to look at. */
  async picture(name) {
    await this.page.screenshot({ path: join(this.artefacts, `vscode-${name}.png`) });
  }

  /** Runs a command from the palette by its title. */
  async command(title) {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget input[type=text]');
    await input.waitFor();
    await input.fill(`>${title}`);
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first().waitFor();
    await this.page.keyboard.press('Enter');
  }

  /** Opens a file of the workspace, at a line when given. */
  async openFile(path, line) {
    await this.page.keyboard.press('Control+P');
    const input = this.page.locator('.quick-input-widget input[type=text]');
    await input.fill(line ? `${path}:${line}` : path);
    await this.page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.locator('.tab.active').filter({ hasText: path.split('/').at(-1) }).waitFor();
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

  /** What the picker shows, from the top: label, description and detail of each visible line. */
  async lines() {
    const lines = await this.rows.evaluateAll((rows) =>
      rows.map((row) => ({
        index: Number(row.dataset.index),
        label: row.querySelector('.quick-input-list-label .label-name')?.textContent ?? '',
        description: row.querySelector('.quick-input-list-label .label-description')?.textContent ?? '',
        detail: row.querySelector('.quick-input-list-label-meta')?.textContent ?? '',
      })),
    );
    return lines.sort((a, b) => a.index - b.index);
  }

  /** Cursor position as the status bar says it. */
  async cursor() {
    const text = await this.page.locator('.statusbar-item[id="status.editor.selection"]').innerText();
    const [line, column] = text.match(/\d+/g).map(Number);
    return { line, column };
  }

  async activeTab() {
    return (await this.page.locator('.tab.active .label-name').first().innerText()).trim();
  }
}

function writeSettings(folder, settings) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings, null, 2));
}

function installExtension(vsix, folders, env) {
  const { status, stdout, stderr } = spawnSync(NODE, [CODE_SERVER, ...folders, '--install-extension', vsix, '--force'], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the extension did not install: ${stdout}${stderr}`);
}

/** Tries until it holds; the error of the last attempt says what did not. */
export async function eventually(attempt, timeoutMs = 30_000) {
  for (const end = Date.now() + timeoutMs; ; await sleep(100)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
