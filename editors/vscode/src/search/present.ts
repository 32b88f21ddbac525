import type { Coverage, Hit, Range } from '../protocol';

const MOST_EXCERPT = 140;
/** The longest signature that leaves room for another line after it. */
const MOST_BESIDE = 44;
const LEAST_LINE = 10;
/** Indentation and the start of a comment or a string; `#` alone also opens headings. */
const LEADING = /^\s*(?:"""|'''|\/\*\*?|\/\/+!?|#+:?(?=\s)|\*(?=\s)|--+(?=\s))?\s*/;
const TRAILING = /\s*(?:"""|'''|\*\/)?\s*$/;

/** A matched part of a line: its start and its end. */
export type Mark = [start: number, end: number];

export interface Line {
  text: string;
  marks: Mark[];
}

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

/** Characters that hide or reverse text, and `$(`, which a list would show as an icon. */
const ACTING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]|\$(?=\()/gu;

/** Text of a file for a line of a list: characters with an effect in lists are escaped. */
function plain(text: string): string {
  return text.replace(ACTING, (char) =>
    char === '$' ? '\\$' : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

export function iconOf(hit: Hit): string {
  return ICONS[hit.symbol?.kind ?? ''] ?? 'file-code';
}

export function titleOf(hit: Hit): string {
  const { symbol, path } = hit;
  if (!symbol?.name) return plain(path.slice(path.lastIndexOf('/') + 1));
  return plain(symbol.container ? `${symbol.container}.${symbol.name}` : symbol.name);
}

/** Where to land: on the name or the best words, else at the start. */
export function landingOf(hit: Hit): Range {
  return hit.selectionRange ?? { start: hit.range.start, end: hit.range.start };
}

/** The line of a hit within its file, counted from 1, or the cell within its notebook. */
export function lineOf(hit: Hit): string {
  return hit.cell === undefined ? `:${landingOf(hit).start.line + 1}` : ` cell ${hit.cell + 1}`;
}

/** Path and line; the folder's name too if there are several folders. */
export function placeOf(hit: Hit, folder?: string): string {
  return `${folder ? `${folder} • ` : ''}${plain(hit.path)}${lineOf(hit)}`;
}

/** The place, and in a few words why it was found. */
export function descriptionOf(hit: Hit, folder?: string): string {
  // The reason of a weak hit is not useful.
  const why = hit.weak ? '' : hit.confidence === 'likely' ? 'likely' : hit.why;
  return why ? `${placeOf(hit, folder)} · ${plain(why)}` : placeOf(hit, folder);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Whether a line repeats the signature, in whole or in part. */
function repeats(line: string, signature: string): boolean {
  const said = oneLine(line).replace(/[\s:,{(]+$/, '');
  return signature !== '' && (signature.includes(said) || said.includes(signature));
}

/** A line without its indentation and comment characters, with the marks moved accordingly. */
function trimmed(line: string, marks: Mark[]): Line {
  const head = LEADING.exec(line)?.[0].length ?? 0;
  const text = line.slice(head).replace(TRAILING, '').replaceAll('\t', ' ');
  const shown = plain(text);
  // If characters are escaped, the marks would no longer match their words.
  if (shown !== text) return { text: shown, marks: [] };
  const moved = marks.map(
    ([start, end]): Mark => [Math.max(start - head, 0), Math.min(end - head, text.length)],
  );
  return { text, marks: moved.filter(([start, end]) => start < end) };
}

function marksOf(hit: Hit, line: number): Mark[] {
  const found = hit.snippet.highlights?.filter(({ start }) => start.line === line) ?? [];
  return found.map(({ start, end }) => [start.character, end.character]);
}

/** The number of different words counts more than their length. */
function weight(line: string, marks: Mark[]): number {
  const words = new Set(marks.map(([start, end]) => line.slice(start, end).toLowerCase()));
  return 1000 * words.size + marks.reduce((sum, [start, end]) => sum + end - start, 0);
}

function isInformative(text: string): boolean {
  return text.trim().length >= LEAST_LINE && /\p{L}{3}/u.test(text);
}

interface SnippetLine extends Line {
  index: number;
}

/** The lines of the snippet that belong to the hit; the lines around it are only context. */
function ownLines(hit: Hit): SnippetLine[] {
  const { startLine, text } = hit.snippet;
  const lines = text.split('\n').map((line, index) => ({ text: line, index, marks: marksOf(hit, index) }));
  // Ranges do not apply to a notebook.
  if (hit.cell !== undefined) return lines;
  return lines.slice(Math.max(hit.range.start.line - startLine, 0), hit.range.end.line - startLine);
}

/** The most informative line besides the signature: the one with the most marks, else the first from the landing position. */
export function bestLine(hit: Hit): Line | undefined {
  const signature = oneLine(hit.symbol?.signature ?? '');
  const landing = hit.cell === undefined ? landingOf(hit).start.line - hit.snippet.startLine : 0;
  const lines = ownLines(hit).filter(({ text }) => !repeats(text, signature));
  const most = Math.max(1, ...lines.map((line) => weight(line.text, line.marks)));
  const best =
    lines.find((line) => weight(line.text, line.marks) === most) ??
    lines.find(({ index, text }) => index >= landing && isInformative(text));
  return best && trimmed(best.text, best.marks);
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** The detail below the name in a list: the signature, and the most informative other line. */
export function detailOf(hit: Hit): string {
  const signature = plain(oneLine(hit.symbol?.signature ?? ''));
  const line = bestLine(hit)?.text ?? '';
  const parts = line ? [shortened(signature, MOST_BESIDE), line] : [signature];
  return parts
    .filter(Boolean)
    .map((part) => shortened(part, MOST_EXCERPT))
    .join('  ·  ');
}

/** The name with its matched parts marked. */
export function markedTitle(hit: Hit): Line {
  const text = titleOf(hit);
  const name = hit.symbol?.name ?? '';
  const { start, end } = landingOf(hit);
  if (!name || end.character - start.character !== name.length) return { text, marks: [] };
  const offset = text.length - name.length - start.character;
  const marks = marksOf(hit, start.line - hit.snippet.startLine)
    .filter(([from, to]) => from >= start.character && to <= end.character)
    .map(([from, to]): Mark => [from + offset, to + offset]);
  return { text, marks };
}

/** Why an answer is incomplete although nothing is being indexed, or an empty string. */
export function degradedNote({ state, reason }: Coverage): string | undefined {
  return state === 'degraded' ? (reason ?? 'answering from part of the index') : undefined;
}
