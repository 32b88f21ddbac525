// Agents in VS Code: the tools of the extension, and the MCP server that it registers.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ATTEMPT_MS, Editor, eventually, INDEXED_MS } from './rig/editor.mjs';
import { freshHome, packaged, project, python, vsix } from './rig/setup.mjs';

const home = freshHome();
const answer = join(home, 'answer');
let editor;

before(async () => {
  editor = await Editor.start({
    home,
    workspace: project,
    extensions: [packaged('agent-extension', home), vsix],
    machineSettings: { 'sightline.server.command': [python, '-m', 'sightline'] },
    userSettings: { 'chat.disableAIFeatures': false },
    env: { SIGHTLINE_AGENT_ANSWER: answer },
  });
});

after(() => editor?.stop());

/** Runs a command and returns what the fake agent wrote. */
async function written(command) {
  rmSync(answer, { force: true });
  await editor.command(command);
  await eventually(() => assert.ok(existsSync(answer)), INDEXED_MS);
  return JSON.parse(readFileSync(answer, 'utf8'));
}

test('an agent calls the tool and gets places with their lines', async () => {
  await eventually(async () => {
    const text = await written('Agent: Ask');
    assert.match(text, /^confidence \d\.\d\d, \d+ of \d+ places, index ready/);
    assert.match(text, /1\. till\.py:23 \(lines 23-27\) {2}function opening_hours/);
    assert.match(text, /23\| def opening_hours\(weekday: int\) -> range:/);
  }, INDEXED_MS);
});

test('the MCP server is listed, starts, and has the same tools', async () => {
  await eventually(async () => {
    await editor.command('MCP: List Servers');
    await editor.rows.filter({ hasText: 'Sightline' }).first().click({ timeout: ATTEMPT_MS });
    await editor.rows.filter({ hasText: 'Start Server' }).first().waitFor({ timeout: ATTEMPT_MS });
  }, INDEXED_MS);
  await editor.picture('60-mcp-server');
  await editor.rows.filter({ hasText: 'Start Server' }).first().click();
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
