import type { Memento } from 'vscode';

const KEY = 'recentQueries';
const MOST = 5;

/** The last queries of this workspace that had an answer, newest first. */
export class Recent {
  constructor(private readonly memory: Memento) {}

  get queries(): string[] {
    return this.memory.get<string[]>(KEY, []);
  }

  add(query: string): void {
    const others = this.queries.filter((each) => each !== query);
    void this.memory.update(KEY, [query, ...others].slice(0, MOST));
  }
}
