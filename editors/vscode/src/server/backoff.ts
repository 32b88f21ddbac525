const FIRST_SECONDS = 1;
const MOST_RESTARTS = 6;
/** A server that lived this long was healthy: its crash starts a new count. */
const HEALTHY_MS = 60_000;

/** How long to wait before each restart, doubling, until it is time to give up. */
export class Backoff {
  private crashes = 0;

  /** Seconds to wait before the next start, or undefined when there have been too many crashes in a row. */
  next(livedMs: number): number | undefined {
    if (livedMs >= HEALTHY_MS) this.crashes = 0;
    if (this.crashes >= MOST_RESTARTS) return undefined;
    return FIRST_SECONDS * 2 ** this.crashes++;
  }

  reset(): void {
    this.crashes = 0;
  }
}
