import type { Coverage, Hit, Range } from '../protocol';

const MOST_EXCERPT = 140;
/** A signature this long leaves room for the line beside it. */
const MOST_BESIDE = 44;
const LEAST_LINE = 10;
/** Indentation and what opens a comment or a text; `#` alone also opens headings. */
const LEADING = /^\s*(?:"""|'''|\/\*\*?|\/\/+!?|#+(?=\s)|\*(?=\s)|--+(?=\s))?\s*/;
const TRAILING = /\s*(?:"""|'''|\*\/)?\s*$/;

/** A matched stretch of a line: its start and its end. */
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

/** Characters that hide or turn text around, and `$(`, which a list would show as an icon. */
const ACTING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]|\$(?=\()/gu;

/** Text of a file for a line of a list: what would act in it is shown instead. */
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

/** The line of a hit within its file as people count, or the cell within its notebook. */
export function lineOf(hit: Hit): string {
  return hit.cell === undefined ? `:${landingOf(hit).start.line + 1}` : ` cell ${hit.cell + 1}`;
}

/** Path and line; the folder's name too where there are several folders. */
export function placeOf(hit: Hit, folder?: string): string {
  return `${folder ? `${folder} • ` : ''}${plain(hit.path)}${lineOf(hit)}`;
}

/** The place and a few words on why it is here. */
export function descriptionOf(hit: Hit, folder?: string): string {
  // What only fills the page has no reason worth telling.
  const why = hit.weak ? '' : hit.confidence === 'likely' ? 'likely' : hit.why;
  return why ? `${placeOf(hit, folder)} · ${plain(why)}` : placeOf(hit, folder);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Whether a line says no more than the signature, in whole or in part. */
function repeats(line: string, signature: string): boolean {
  const said = oneLine(line).replace(/[\s:,{(]+$/, '');
  return signature !== '' && (signature.includes(said) || said.includes(signature));
}

/** A line without its indentation and the signs of a comment, and with the marks moved along. */
function trimmed(line: string, marks: Mark[]): Line {
  const head = LEADING.exec(line)?.[0].length ?? 0;
  const text = line.slice(head).replace(TRAILING, '').replaceAll('\t', ' ');
  const shown = plain(text);
  // Where something that would act is spelled out, the marks would stand beside their words.
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

/** Different words count more than long ones. */
function weight(line: string, marks: Mark[]): number {
  const words = new Set(marks.map(([start, end]) => line.slice(start, end).toLowerCase()));
  return 1000 * words.size + marks.reduce((sum, [start, end]) => sum + end - start, 0);
}

function saysSomething(text: string): boolean {
  return text.trim().length >= LEAST_LINE && /\p{L}{3}/u.test(text);
}

interface SnippetLine extends Line {
  index: number;
}

/** The lines of the snippet that belong to the hit; those around it only show where it stands. */
function ownLines(hit: Hit): SnippetLine[] {
  const { startLine, text } = hit.snippet;
  const lines = text.split('\n').map((line, index) => ({ text: line, index, marks: marksOf(hit, index) }));
  // Ranges say nothing about a notebook.
  if (hit.cell !== undefined) return lines;
  return lines.slice(Math.max(hit.range.start.line - startLine, 0), hit.range.end.line - startLine);
}

/** The line that says most beside the signature: the one most marked; where none is, the first from the landing on. */
export function bestLine(hit: Hit): Line | undefined {
  const signature = oneLine(hit.symbol?.signature ?? '');
  const landing = hit.cell === undefined ? landingOf(hit).start.line - hit.snippet.startLine : 0;
  const lines = ownLines(hit).filter(({ text }) => !repeats(text, signature));
  const most = Math.max(1, ...lines.map((line) => weight(line.text, line.marks)));
  const best =
    lines.find((line) => weight(line.text, line.marks) === most) ??
    lines.find(({ index, text }) => index >= landing && saysSomething(text));
  return best && trimmed(best.text, best.marks);
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** What a list shows below the name: the signature, and the line that says most beside it. */
export function detailOf(hit: Hit): string {
  const signature = plain(oneLine(hit.symbol?.signature ?? ''));
  const line = bestLine(hit)?.text ?? '';
  const parts = line ? [shortened(signature, MOST_BESIDE), line] : [signature];
  return parts
    .filter(Boolean)
    .map((part) => shortened(part, MOST_EXCERPT))
    .join('  ·  ');
}

/** The name with the matched parts of it marked. */
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

/** Why an answer is incomplete although nothing is being indexed, or nothing. */
export function degradedNote({ state, reason }: Coverage): string | undefined {
  return state === 'degraded' ? (reason ?? 'answering from part of the index') : undefined;
}
