import type { FolderStatus, IndexStatus } from '../protocol';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];
const PARSE_NAMES: Record<string, string> = {
  ok: 'parsed',
  partial: 'parsed with errors',
  error: 'not parsed',
  no_grammar: 'plain text',
};

export function bytes(count: number): string {
  const power = count > 0 ? Math.min(Math.floor(Math.log10(count) / 3), UNITS.length - 1) : 0;
  const value = count / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** "412 parsed, 3 parsed with errors": only what there is. */
export function parseHealth(parse: Record<string, number>): string {
  const parts = Object.entries(parse).filter(([, count]) => count > 0);
  return parts.map(([name, count]) => `${count} ${PARSE_NAMES[name] ?? name}`).join(', ') || 'nothing yet';
}

/** "3 binary, 1 too large": the reasons are the server's. */
export function skipped(reasons: Record<string, number>): string {
  return (
    Object.entries(reasons)
      .map(([reason, count]) => `${count} ${reason}`)
      .join(', ') || 'nothing'
  );
}

/** One state for all folders: the one that most needs attention. */
export function overallState(status: IndexStatus): FolderStatus['state'] {
  const order: FolderStatus['state'][] = ['failed', 'opening', 'indexing', 'degraded', 'ready'];
  return order.find((state) => status.folders.some((folder) => folder.state === state)) ?? 'ready';
}

/** Files indexed and files in all, over all folders. */
export function overallFiles({ folders }: IndexStatus): [done: number, total: number] {
  const sum = (of: (folder: FolderStatus) => number) =>
    folders.reduce((total, folder) => total + of(folder), 0);
  return [sum((folder) => folder.filesIndexed), sum((folder) => folder.filesTotal)];
}
