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

/** Splits chunks of output into lines and calls back for each complete line. */
function byLine(onLine: (line: string) => void): (data: Buffer) => void {
  let rest = '';
  return (data) => {
    const lines = (rest + data).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim()) onLine(line);
  };
}

/** Runs a program to its end; a program that cannot be started is reported as a result, not as an exception. */
export function run(command: string[], options: RunOptions): Promise<Outcome> {
  const [program = '', ...args] = command;
  const signals = [AbortSignal.timeout(options.timeoutMs), ...(options.signal ? [options.signal] : [])];
  return new Promise((resolve) => {
    let output = '';
    const settings = { cwd: options.cwd, signal: AbortSignal.any(signals), windowsHide: true };
    const child = spawn(program, args, settings);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        output += data;
      });
      if (options.onLine) stream.on('data', byLine(options.onLine));
    }
    child.on('error', (error) => resolve({ ok: false, output: `${output}${error.message}` }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}
