import type { Coverage, Hit } from '../protocol';

const MOST_EXCERPT = 180;

/** Codicons by the kind of definition; anything else is shown as a file. */
const ICONS: Record<string, string> = {
  function: 'symbol-method',
  method: 'symbol-method',
  constructor: 'symbol-method',
  macro: 'symbol-method',
  class: 'symbol-class',
  struct: 'symbol-structure',
  interface: 'symbol-interface',
  trait: 'symbol-interface',
  impl: 'symbol-class',
  object: 'symbol-class',
  enum: 'symbol-enum',
  module: 'symbol-module',
  namespace: 'symbol-namespace',
  type: 'symbol-type-parameter',
  constant: 'symbol-constant',
  variable: 'symbol-variable',
  field: 'symbol-field',
  property: 'symbol-property',
  test: 'beaker',
  section: 'symbol-string',
};

export function iconOf(hit: Hit): string {
  return ICONS[hit.symbol?.kind ?? ''] ?? 'file-code';
}

export function titleOf(hit: Hit): string {
  const { symbol, path } = hit;
  if (!symbol?.name) return path.slice(path.lastIndexOf('/') + 1);
  return symbol.container ? `${symbol.container}.${symbol.name}` : symbol.name;
}

/** Path and line; the folder's name too where there are several folders. */
export function placeOf(hit: Hit, folder?: string): string {
  return `${folder ? `${folder} • ` : ''}${hit.path}:${hit.range.start.line + 1}`;
}

/** The matched lines of the snippet on one line. */
export function excerptOf(hit: Hit): string {
  const from = Math.max(0, hit.range.start.line - hit.snippet.startLine);
  const count = hit.range.end.line - hit.range.start.line;
  const lines = hit.snippet.text.split('\n').slice(from, from + Math.max(count, 1));
  const text = lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join('  ');
  return text.length > MOST_EXCERPT ? `${text.slice(0, MOST_EXCERPT)}…` : text;
}

export function percent(done: number, total: number): number {
  return total === 0 ? 0 : Math.floor((100 * done) / total);
}

/** "indexing 62 %", or what goes on while every file is known already. */
export function indexingNote(done: number, total: number): string {
  return done < total ? `indexing ${percent(done, total)} %` : 'looking for changes';
}

/** What the searcher must know about an incomplete answer, or nothing. */
export function coverageNote(coverage: Coverage): string | undefined {
  if (coverage.state === 'indexing') return indexingNote(coverage.filesIndexed, coverage.filesTotal);
  return coverage.state === 'degraded' ? (coverage.reason ?? 'answering from part of the index') : undefined;
}
