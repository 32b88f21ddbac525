import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Installation } from './installation';
import { run } from './process';

const MAKE_MS = 120_000;
const INSTALL_MS = 900_000;
const STAMP = 'installed';
/** The distributions that the server loads, with versions and hashes. */
const LOCK = 'requirements.lock';

export interface Progress {
  /** A line for the log. */
  log(line: string): void;
  /** A sentence for the user, and the progress of the installation since the last message, in percent. */
  report(message: string, increment: number): void;
  signal: AbortSignal;
}

/** The environment that the extension creates in its storage, from the wheel and lock file in its package. */
export class ManagedEnvironment {
  private readonly environments: string;

  constructor(
    storage: string,
    private readonly bundled: string,
  ) {
    this.environments = join(storage, 'environments');
  }

  /** The interpreter of the environment for this version, or undefined if it does not exist. */
  async python(): Promise<string | undefined> {
    const folder = await this.current();
    return folder && interpreterOf(folder);
  }

  /** Whether one was created earlier, for any version: the user has agreed before. */
  async exists(): Promise<boolean> {
    return (await this.made()).length > 0;
  }

  /** Creates the environment from scratch; the error of a failed step contains that step's last output. */
  async install(python: string[], progress: Progress): Promise<void> {
    const folder = await this.folder();
    const lock = join(this.bundled, LOCK);
    const installation = new Installation(await readFile(lock, 'utf8'));
    await rm(folder, { recursive: true, force: true });
    await mkdir(this.environments, { recursive: true });
    progress.report('making the environment', 0);
    try {
      await this.step([...python, '-m', 'venv', folder], MAKE_MS, progress);
      const pip = [
        interpreterOf(folder),
        '-m',
        'pip',
        'install',
        '--disable-pip-version-check',
        '--no-input',
      ];
      // Modules are compiled when they are first loaded: the server uses a small part of its dependencies.
      const plain = [...pip, '--no-deps', '--no-compile', '--progress-bar', 'off'];
      await this.step([...plain, '--require-hashes', '-r', lock], INSTALL_MS, progress, installation);
      await this.step([...plain, '--no-index', join(this.bundled, await this.wheel())], INSTALL_MS, progress);
      await writeFile(join(folder, STAMP), new Date().toISOString());
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Removes the environments of other versions once this version's exists; returns their number. */
  async removeOld(): Promise<number> {
    const folder = await this.current();
    if (!folder) return 0;
    const old = (await this.made()).filter((made) => made !== folder);
    // On Windows, one that another window still uses stays until the next start.
    const removed = await Promise.allSettled(old.map((made) => rm(made, { recursive: true, force: true })));
    return removed.filter(({ status }) => status === 'fulfilled').length;
  }

  private async current(): Promise<string | undefined> {
    // A build without a packaged server has created none.
    if (!(await this.exists())) return undefined;
    const folder = await this.folder();
    return existsSync(join(folder, STAMP)) ? folder : undefined;
  }

  private async made(): Promise<string[]> {
    const names = await readdir(this.environments).catch(() => []);
    return names.map((name) => join(this.environments, name));
  }

  /** Named after what is installed into it, so that a new version never changes a running one. */
  private async folder(): Promise<string> {
    const wheel = await this.wheel();
    const hash = createHash('sha256').update(wheel);
    hash.update(await readFile(join(this.bundled, wheel)));
    hash.update(await readFile(join(this.bundled, LOCK)));
    return join(this.environments, hash.digest('hex').slice(0, 12));
  }

  private async step(
    command: string[],
    timeoutMs: number,
    progress: Progress,
    installation?: Installation,
  ): Promise<void> {
    const { ok, output } = await run(command, {
      cwd: this.environments,
      timeoutMs,
      signal: progress.signal,
      onLine: (line) => {
        progress.log(line);
        const step = installation?.next(line);
        if (step) progress.report(step.message, step.increment);
      },
    });
    if (!ok) throw new Error(output.trim().split('\n').slice(-3).join('\n') || 'the installation failed');
  }

  private async wheel(): Promise<string> {
    const found = (await readdir(this.bundled)).find((name) => name.endsWith('.whl'));
    if (!found) throw new Error('this build of the extension carries no server');
    return found;
  }
}

function interpreterOf(folder: string): string {
  return process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
}
