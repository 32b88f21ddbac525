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

/** "412 parsed, 3 parsed with errors": only counts above 0. */
export function parseHealth(parse: Record<string, number>): string {
  const parts = Object.entries(parse).filter(([, count]) => count > 0);
  return parts.map(([name, count]) => `${count} ${PARSE_NAMES[name] ?? name}`).join(', ') || 'nothing yet';
}

const SKIP_NAMES: Record<string, string> = {
  noise: 'with build output, caches or packages',
};

/** "3 binary, 1 too large": most reasons are shown as the server names them. */
export function skipped(reasons: Record<string, number>): string {
  return (
    Object.entries(reasons)
      .map(([reason, count]) => `${count} ${SKIP_NAMES[reason] ?? reason}`)
      .join(', ') || 'nothing'
  );
}

/** One state for all folders: the one that most needs attention. */
export function overallState(status: IndexStatus): FolderStatus['state'] {
  const order: FolderStatus['state'][] = ['failed', 'opening', 'indexing', 'degraded', 'ready'];
  return order.find((state) => status.folders.some((folder) => folder.state === state)) ?? 'ready';
}

export interface Progress {
  /** The activity, with the percentage if there is one. */
  text: string;
  percent?: number;
}

export function percent(done: number, total: number): number {
  return total === 0 ? 0 : Math.floor((100 * done) / total);
}

/** The progress of indexing, the same wherever it is shown; undefined if nothing is being indexed. */
export function progressOf(status: IndexStatus): Progress | undefined {
  const { folders } = status;
  const sum = (of: (folder: FolderStatus) => number) =>
    folders.reduce((total, folder) => total + of(folder), 0);
  const state = overallState(status);
  if (state === 'opening') return { text: 'opening the index' };
  if (state !== 'indexing') return undefined;
  const [done, total] = [sum((folder) => folder.filesIndexed), sum((folder) => folder.filesTotal)];
  if (done < total) return { text: `indexing ${percent(done, total)} %`, percent: percent(done, total) };
  const waiting = sum((folder) => folder.chunks - folder.chunksEmbedded);
  return { text: waiting > 0 ? 'indexing, last step' : 'checking for changes' };
}

function folderName({ uri }: FolderStatus): string {
  const path = decodeURIComponent(uri).replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The state of the index in lines of plain text, for a tooltip and for screen readers. */
export function statusLines(status: IndexStatus): string[] {
  const folders = status.folders.flatMap((folder) => [
    `${folderName(folder)}: ${folder.filesIndexed} of ${folder.filesTotal} files, ${parseHealth(folder.parse)}`,
    ...(folder.lastError ? [folder.lastError] : []),
  ]);
  return [progressOf(status)?.text ?? overallState(status), ...folders];
}
