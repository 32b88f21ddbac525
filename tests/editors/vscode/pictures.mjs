// Takes the pictures of the documentation: SIGHTLINE_PROJECT=CHECKOUT node pictures.mjs QUERY, see docs/contributing.md.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Editor, eventually } from './harness/editor.mjs';
import { freshHome, project, recordedServer, vsix } from './harness/setup.mjs';

const [, , query] = process.argv;
const images = new URL('../../../docs/images/', import.meta.url).pathname;
const home = freshHome();
const editor = await Editor.start({
  home,
  workspace: project,
  extensions: [vsix],
  machineSettings: recordedServer(join(home, 'record')),
  userSettings: {
    'window.commandCenter': false,
    'window.title': 'uvicorn',
    'git.enabled': false,
  },
});
const take = (name) => editor.page.screenshot({ path: join(images, `${name}.png`) });

try {
  await editor.page.setViewportSize({ width: 1280, height: 720 });
  await editor.untilReady();
  await editor.search(query);
  await eventually(async () => assert.match((await editor.lines())[0].detail, /\S/));
  // A preview further down in its file, so that the picker does not cover the target line.
  await editor.query.press('ArrowDown');
  await editor.query.press('ArrowDown');
  await editor.page.locator('.view-overlays .cdr[class*=TextEditorDecorationType]').first().waitFor();
  await editor.picture('documentation');
  await take('quick-pick');
  await editor.query.press('Control+Shift+Enter');
  await editor.page.locator('[id="workbench.view.extension.sightline"] .monaco-list-row').first().waitFor();
  await editor.command('Sightline: Show Results by File');
  await editor.page.keyboard.press('F4');
  await editor.page.keyboard.press('F4');
  await editor.page.locator('.tab.active').waitFor();
  await editor.picture('documentation');
  await take('results');
} finally {
  await editor.stop();
}
