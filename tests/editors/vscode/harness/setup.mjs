// The inputs prepared by tests/editors/test_vscode.py, and the server wrapped in a message recorder.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const python = process.env.SIGHTLINE_PYTHON;
export const vsix = process.env.SIGHTLINE_VSIX;
export const project = process.env.SIGHTLINE_PROJECT;

const vsce = new URL('../../../../editors/vscode/node_modules/.bin/vsce', import.meta.url).pathname;

/** A new folder for one editor, removed at the end of the tests. */
export function freshHome() {
  const home = mkdtempSync(join(tmpdir(), 'sightline-vscode-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  return home;
}

/** Packages one of the small extensions next to the tests. */
export function packaged(name, folder) {
  const source = new URL(`../${name}/`, import.meta.url).pathname;
  const target = join(folder, `${name}.vsix`);
  const options = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', target];
  execFileSync(vsce, ['package', ...options], { cwd: source, stdio: 'ignore' });
  return target;
}

/** The settings that start the real server with a recorder in between. */
export function recordedServer(record) {
  const recorder = new URL('record.py', import.meta.url).pathname;
  return { 'sightline.server.command': [python, recorder, record, python, '-m', 'sightline'] };
}
