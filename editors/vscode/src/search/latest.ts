import { type CancellationToken, CancellationTokenSource, type Disposable } from 'vscode';

/** Runs only the newest of many quickly following questions: each one cancels the one before. */
export class Latest<Question, Answer> implements Disposable {
  private source: CancellationTokenSource | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly run: (question: Question, token: CancellationToken) => Promise<Answer>,
    private readonly delayMs: number,
  ) {}

  /** Answers after a pause in the typing, or never once a newer question is asked. */
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

  /** True for the newest question; an answered one must not be cancelled any more. */
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
