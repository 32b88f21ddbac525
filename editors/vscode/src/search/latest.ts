import { type CancellationToken, CancellationTokenSource, type Disposable } from 'vscode';

/** Runs only the newest of many requests in quick succession: each one cancels the previous one. */
export class Latest<Question, Answer> implements Disposable {
  private source: CancellationTokenSource | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly run: (question: Question, token: CancellationToken) => Promise<Answer>,
    private readonly delayMs: number,
  ) {}

  /** Resolves after a pause in the typing, or never if a newer request follows. */
  ask(question: Question, answered: (answer: Answer) => void, failed: (error: unknown) => void): void {
    this.cancel();
    const source = new CancellationTokenSource();
    this.source = source;
    this.timer = setTimeout(async () => {
      try {
        const answer = await this.run(question, source.token);
        if (this.finish(source)) answered(answer);
      } catch (error) {
        if (this.finish(source)) failed(error);
      }
    }, this.delayMs);
  }

  /** True for the newest request; a completed one must not be cancelled any more. */
  private finish(source: CancellationTokenSource): boolean {
    if (this.source !== source) return false;
    this.source = undefined;
    source.dispose();
    return true;
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.source?.cancel();
    this.source?.dispose();
    this.source = undefined;
  }

  dispose(): void {
    this.cancel();
  }
}
