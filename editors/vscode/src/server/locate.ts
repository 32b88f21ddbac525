import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { workspace } from 'vscode';
import { PROGRAM } from '../names';
import { configuredCommand } from '../settings';
import type { ManagedEnvironment } from './managed';
import { hasServer, interpreters } from './python';

export type Origin = 'setting' | 'environment' | 'path' | 'managed';

export interface ServerCommand {
  command: string[];
  origin: Origin;
}

/** Why there is no server to start. */
export type Missing = 'folder' | 'python' | 'package' | 'outdated';

export type Location = { found: ServerCommand } | { missing: Missing; python?: string[] };

const AS_MODULE = ['-m', PROGRAM];

function onPath(): string | undefined {
  const name = process.platform === 'win32' ? `${PROGRAM}.exe` : PROGRAM;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** Whether the workspace consists of folders that the server cannot read: another scheme is not on disk. */
function isVirtual(): boolean {
  const folders = workspace.workspaceFolders ?? [];
  return folders.length > 0 && folders.every(({ uri }) => uri.scheme !== 'file');
}

/** Finds the server: the setting, the active Python environment, the PATH, then our own environment. */
export async function locate(managed: ManagedEnvironment, cwd: string): Promise<Location> {
  if (isVirtual()) return { missing: 'folder' };
  const configured = configuredCommand();
  if (configured.length > 0) return { found: { command: configured, origin: 'setting' } };
  const pythons = await interpreters(cwd);
  for (const python of pythons) {
    if (await hasServer(python, cwd))
      return { found: { command: [...python, ...AS_MODULE], origin: 'environment' } };
  }
  const program = onPath();
  if (program) return { found: { command: [program], origin: 'path' } };
  const own = await managed.python();
  if (own) return { found: { command: [own, ...AS_MODULE], origin: 'managed' } };
  const python = pythons[0];
  if (!python) return { missing: 'python' };
  return { missing: (await managed.exists()) ? 'outdated' : 'package', python };
}
