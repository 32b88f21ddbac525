// Highlights are visible in every theme, and nothing is cut off in a narrow window.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Editor, eventually } from './harness/editor.mjs';
import { freshHome, project, recordedServer, vsix } from './harness/setup.mjs';

/** Themes by the CSS class of the window. */
const THEMES = {
  'vs-dark': 'Dark Modern',
  vs: 'Light Modern',
  'hc-black': 'Dark High Contrast',
  'hc-light': 'Light High Contrast',
};
const QUERY = 'read a compressed file';
const home = freshHome();
let editor;

async function search() {
  await editor.search(QUERY);
  await eventually(async () => assert.match((await editor.lines())[0].detail, /·/));
  await editor.page
    .locator('.monaco-editor .view-overlays .cdr[class*=TextEditorDecorationType]')
    .first()
    .waitFor();
}

/** The colours of everything that the extension highlights in the editor. */
function marks() {
  return editor.page
    .locator('.monaco-editor .view-overlays .cdr[class*=TextEditorDecorationType]')
    .evaluateAll((all) =>
      all.map((mark) => {
        const { backgroundColor, borderLeftColor, borderLeftWidth } = getComputedStyle(mark);
        return { backgroundColor, borderLeftColor, borderLeftWidth };
      }),
    );
}

function isSeen(colour) {
  return !/rgba\(.*, 0\)|transparent/.test(colour);
}

before(async () => {
  editor = await Editor.start({
    home,
    workspace: project,
    extensions: [vsix],
    machineSettings: recordedServer(join(home, 'record')),
  });
  await editor.untilReady();
});

after(() => editor?.stop());

async function chooseTheme(kind, theme) {
  await editor.choose('Control+K Control+T', theme, theme);
  await editor.untilClosed();
  await editor.page.locator(`.monaco-workbench.${kind}`).waitFor();
}

for (const [kind, theme] of Object.entries(THEMES)) {
  test(`lines and words are marked in ${theme}`, async () => {
    await chooseTheme(kind, theme);
    await search();
    await eventually(async () => {
      const found = await marks();
      assert.ok(found.some((mark) => mark.borderLeftWidth === '3px' && isSeen(mark.borderLeftColor)));
      const words = found.filter((mark) => mark.borderLeftWidth === '1px');
      assert.ok(words.length > 0);
      for (const mark of words) assert.ok(isSeen(mark.backgroundColor) || isSeen(mark.borderLeftColor));
    });
    await editor.picture(`40-${kind}`);
    await editor.query.press('Control+Shift+Enter');
    const rows = editor.page.locator('[id="workbench.view.extension.sightline"] .monaco-list-row');
    await rows.first().waitFor();
    await editor.picture(`41-view-${kind}`);
    // The next rows are then those of the next theme, and come after the view has taken the focus.
    await editor.command('Sightline: Clear Results');
    await rows.first().waitFor({ state: 'hidden' });
  });
}

test('in a window of 560 pixels the search fits, and no message is cut', async () => {
  await editor.page.setViewportSize({ width: 560, height: 700 });
  await search();
  const box = await editor.page.locator('.quick-input-widget').boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 560);
  await editor.picture('42-narrow');
  await editor.query.fill('open lang:pyhton');
  await eventually(async () => assert.equal(await editor.focused(), 'Did you mean lang:python?'));
  assert.deepEqual(await editor.cutLabels(), []);
  await editor.picture('43-narrow-mistake');
  await editor.closePicker();
});
