import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './process';

const MAKE_MS = 120_000;
const INSTALL_MS = 900_000;

export interface Progress {
  report(message: string): void;
  signal: AbortSignal;
}

/** The environment that the extension makes for itself, in its own storage, from the wheel it carries. */
export class ManagedEnvironment {
  constructor(
    private readonly storage: string,
    private readonly wheels: string,
  ) {}

  private get folder(): string {
    return join(this.storage, 'server');
  }

  private get stamp(): string {
    return join(this.folder, 'installed');
  }

  get python(): string {
    return process.platform === 'win32'
      ? join(this.folder, 'Scripts', 'python.exe')
      : join(this.folder, 'bin', 'python');
  }

  /** Made earlier, from whichever version: the user's consent is on record. */
  get exists(): boolean {
    return existsSync(this.stamp);
  }

  async isCurrent(): Promise<boolean> {
    return this.exists && (await readFile(this.stamp, 'utf8')) === (await this.wheel());
  }

  /** Makes the environment anew; the error of a failed step carries that step's last output. */
  async install(python: string[], progress: Progress): Promise<void> {
    const wheel = await this.wheel();
    await rm(this.folder, { recursive: true, force: true });
    await mkdir(this.storage, { recursive: true });
    await this.step([...python, '-m', 'venv', this.folder], MAKE_MS, progress);
    const pip = [this.python, '-m', 'pip', 'install', '--disable-pip-version-check', '--no-input'];
    await this.step([...pip, join(this.wheels, wheel)], INSTALL_MS, progress);
    await writeFile(this.stamp, wheel);
  }

  private async step(command: string[], timeoutMs: number, progress: Progress): Promise<void> {
    const { ok, output } = await run(command, {
      cwd: this.storage,
      timeoutMs,
      signal: progress.signal,
      onLine: (line) => progress.report(line),
    });
    if (!ok) throw new Error(output.trim().split('\n').slice(-3).join('\n') || 'the installation failed');
  }

  private async wheel(): Promise<string> {
    const found = (await readdir(this.wheels)).find((name) => name.endsWith('.whl'));
    if (!found) throw new Error('this build of the extension carries no server');
    return found;
  }
}
