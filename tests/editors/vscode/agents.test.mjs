// Agents in VS Code: the tools of the extension, and the MCP server that it registers.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { ATTEMPT_MS, Editor, eventually, INDEXED_MS } from './harness/editor.mjs';
import { freshHome, packaged, project, python, vsix } from './harness/setup.mjs';

// A server whose environment lacks the package, without an environment for it.
const LACKING =
  'import sys; sys.modules["mcp_types"] = None; from sightline.cli import main; sys.exit(main())';
let answer;
let editor;

afterEach(() => editor?.stop());

async function start(server) {
  const home = freshHome();
  answer = join(home, 'answer');
  editor = await Editor.start({
    home,
    workspace: project,
    extensions: [packaged('agent-extension', home), vsix],
    machineSettings: { 'sightline.server.command': server },
    userSettings: { 'chat.disableAIFeatures': false },
    env: { SIGHTLINE_AGENT_ANSWER: answer },
  });
}

async function startMcpServer() {
  await eventually(async () => {
    await editor.command('MCP: List Servers');
    await editor.rows.filter({ hasText: 'Sightline' }).first().click({ timeout: ATTEMPT_MS });
    await editor.rows.filter({ hasText: 'Start Server' }).first().waitFor({ timeout: ATTEMPT_MS });
  }, INDEXED_MS);
  await editor.picture('60-mcp-server');
  await editor.rows.filter({ hasText: 'Start Server' }).first().click();
}

/** Runs a command and returns what the fake agent wrote. */
async function written(command) {
  rmSync(answer, { force: true });
  await editor.command(command);
  await eventually(() => assert.ok(existsSync(answer)), INDEXED_MS);
  return JSON.parse(readFileSync(answer, 'utf8'));
}

test('an agent calls the tool, and the MCP server that is listed starts and has the same tools', async () => {
  await start([python, '-m', 'sightline']);
  await eventually(async () => {
    const text = await written('Agent: Ask');
    assert.match(text, /^confidence \d\.\d\d, \d+ of \d+ places, index ready/);
    assert.match(text, /1\. till\.py:23 \(lines 23-27\) {2}function opening_hours/);
    assert.match(text, /23\| def opening_hours\(weekday: int\) -> range:/);
  }, INDEXED_MS);
  await startMcpServer();
  await eventually(async () => {
    const names = await written('Agent: List Tools');
    for (const tool of ['search', 'related', 'symbols', 'status']) {
      assert.ok(names.includes(`sightline_${tool}`), `${names}`);
      assert.ok(
        names.some((name) => name.startsWith('mcp_') && name.endsWith(`_${tool}`)),
        `${names}`,
      );
    }
  }, INDEXED_MS);
});

test('a server without the MCP package says how to install it when its MCP server is started', async () => {
  await start([python, '-c', LACKING]);
  await startMcpServer();
  const message = editor.page
    .locator('.notification-toast')
    .filter({ hasText: "pip install 'sightline[mcp]'" });
  await message.waitFor();
  await editor.picture('61-mcp-package-missing');
});
