import { spawn } from 'node:child_process';

export interface Outcome {
  ok: boolean;
  output: string;
}

export interface RunOptions {
  /** Never the workspace: Python would import modules from it. */
  cwd: string;
  timeoutMs: number;
  onLine?: (line: string) => void;
  signal?: AbortSignal;
}

/** Runs a program to its end; a program that cannot be started is an outcome, not an exception. */
export function run(command: string[], options: RunOptions): Promise<Outcome> {
  const [program = '', ...args] = command;
  const signals = [AbortSignal.timeout(options.timeoutMs), ...(options.signal ? [options.signal] : [])];
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(program, args, { cwd: options.cwd, signal: AbortSignal.any(signals) });
    const collect = (data: Buffer) => {
      output += data;
      for (const line of data.toString().split(/\r?\n/)) if (line.trim()) options.onLine?.(line);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => resolve({ ok: false, output: `${output}${error.message}` }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}
