import type { PythonExtension } from '@vscode/python-extension';
import { extensions, workspace } from 'vscode';
import { PROGRAM } from '../names';
import { run } from './process';

const PROBE_MS = 20_000;
const OLDEST = [3, 10] as const;
const VERSION = 'import sys; print(*sys.version_info[:2])';
const HAS_SERVER = `import importlib.util as u, sys; sys.exit(u.find_spec("${PROGRAM}") is None)`;

/** The Python extension's interface, once it is ready; undefined if it is not installed. */
async function pythonExtension(): Promise<PythonExtension | undefined> {
  try {
    const api = await extensions.getExtension<PythonExtension>('ms-python.python')?.activate();
    await api?.ready;
    return api;
  } catch {
    // It reports its own failures; the PATH is searched next.
    return undefined;
  }
}

async function selectedInterpreter(): Promise<string | undefined> {
  const environments = (await pythonExtension())?.environments;
  const active = environments?.getActiveEnvironmentPath(workspace.workspaceFolders?.[0]?.uri);
  const resolved = active && (await environments?.resolveEnvironment(active));
  // An environment without its own interpreter (a conda folder) has no URI for one.
  return resolved?.executable.uri?.fsPath;
}

/** Calls back when the user selects another environment in the Python extension. */
export async function onDidSelectInterpreter(listener: () => void): Promise<{ dispose(): void } | undefined> {
  return (await pythonExtension())?.environments.onDidChangeActiveEnvironmentPath(listener);
}

async function isSupported(python: string[], cwd: string): Promise<boolean> {
  const { ok, output } = await run([...python, '-c', VERSION], { cwd, timeoutMs: PROBE_MS });
  const [major = 0, minor = 0] = output.trim().split(' ').map(Number);
  return ok && (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]));
}

/** The interpreters to consider, best first: the selected one, then those on the PATH. */
export async function interpreters(cwd: string): Promise<string[][]> {
  const selected = await selectedInterpreter();
  const onPath = process.platform === 'win32' ? [['py', '-3'], ['python']] : [['python3'], ['python']];
  const supported: string[][] = [];
  for (const python of [...(selected ? [[selected]] : []), ...onPath]) {
    if (await isSupported(python, cwd)) supported.push(python);
  }
  return supported;
}

export async function hasServer(python: string[], cwd: string): Promise<boolean> {
  return (await run([...python, '-c', HAS_SERVER], { cwd, timeoutMs: PROBE_MS })).ok;
}
