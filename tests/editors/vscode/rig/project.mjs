// A real project that is on every machine: some hundred files of the running Python's standard library.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const PACKAGES = ['asyncio', 'concurrent', 'email', 'http', 'importlib', 'json', 'logging', 'unittest', 'urllib', 'xml'];

function isSource(path) {
  return !['__pycache__', 'test', 'tests'].includes(basename(path));
}

/** Copies the library into the folder, which it makes. */
export function copyStandardLibrary(python, folder) {
  const ask = 'import sysconfig; print(sysconfig.get_path("stdlib"))';
  const library = execFileSync(python, ['-c', ask], { encoding: 'utf8' }).trim();
  mkdirSync(folder, { recursive: true });
  const modules = readdirSync(library).filter((name) => name.endsWith('.py'));
  for (const name of [...modules, ...PACKAGES]) {
    cpSync(join(library, name), join(folder, name), { recursive: true, filter: isSource });
  }
}
