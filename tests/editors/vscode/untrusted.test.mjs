// An untrusted workspace: none of its files is read and no process is started.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Editor, eventually, INDEXED_MS } from './harness/editor.mjs';
import { serverPid } from './harness/messages.mjs';
import { freshHome, project, recordedServer, vsix } from './harness/setup.mjs';

const SETTLED_MS = 5_000;
const home = freshHome();
const record = join(home, 'record');
let editor;

before(async () => {
  const machineSettings = recordedServer(record);
  const userSettings = { 'security.workspace.trust.startupPrompt': 'never' };
  editor = await Editor.start({
    home,
    workspace: join(project, 'json'),
    extensions: [vsix],
    machineSettings,
    userSettings,
    trust: true,
  });
});

after(() => editor?.stop());

test('nothing is started in an untrusted workspace', async () => {
  await editor.page.getByText('Restricted Mode').first().waitFor();
  await sleep(SETTLED_MS);
  assert.equal(await editor.statusItem.count(), 0);
  assert.ok(!existsSync(record), 'the server was started');
  await editor.picture('20-untrusted');
});

test('trusting the workspace starts the server', async () => {
  await editor.command('Workspaces: Manage Workspace Trust');
  await editor.page.getByRole('button', { name: 'Trust', exact: true }).first().click();
  await eventually(() => assert.ok(serverPid(record)), INDEXED_MS);
  await editor.statusItem.waitFor();
  await editor.picture('21-trusted');
});
