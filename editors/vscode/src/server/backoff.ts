const FIRST_SECONDS = 1;
const MOST_RESTARTS = 6;
/** A server that ran this long was healthy: a later crash starts a new count. */
const HEALTHY_MS = 60_000;

/** The delay before each restart, which doubles, and the limit of restarts. */
export class Backoff {
  private crashes = 0;

  /** Seconds to wait before the next start, or undefined after too many crashes in a row. */
  next(livedMs: number): number | undefined {
    if (livedMs >= HEALTHY_MS) this.crashes = 0;
    if (this.crashes >= MOST_RESTARTS) return undefined;
    return FIRST_SECONDS * 2 ** this.crashes++;
  }

  reset(): void {
    this.crashes = 0;
  }
}
