const ENTRY = /^[a-z0-9][^\n]*==/gm;
const DONE = /^(?:Collecting|Requirement already satisfied:) /;
const SIZE = /\((\d+(?:\.\d+)?) (kB|MB)\)$/;
const INSTALLING = /^Installing collected packages/;

export interface Step {
  message: string;
  increment: number;
}

/** The progress of pip with a lock file, computed from the lines it prints. */
export class Installation {
  private total: number;
  private done = 0;
  private megabytes = 0;

  constructor(lock: string) {
    this.total = lock.match(ENTRY)?.length ?? 0;
  }

  /** The message for a line; undefined for lines without new information. */
  next(line: string): Step | undefined {
    if (INSTALLING.test(line)) return this.step(`unpacking ${this.done} packages`, 0);
    // An entry for another system or Python.
    if (line.startsWith('Ignoring ')) this.total -= 1;
    const size = SIZE.exec(line);
    if (size) this.megabytes += Number(size[1]) / (size[2] === 'kB' ? 1000 : 1);
    if (!DONE.test(line)) return size ? this.step(this.counted(), 0) : undefined;
    this.done += 1;
    return this.step(this.counted(), 90 / this.total);
  }

  private counted(): string {
    return `package ${this.done} of ${this.total}, ${Math.round(this.megabytes)} MB`;
  }

  private step(message: string, increment: number): Step {
    return { message, increment };
  }
}
