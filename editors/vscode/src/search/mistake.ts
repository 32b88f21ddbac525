import type { Vocabulary } from './hints';

export interface Suggestion {
  label: string;
  /** The query after the suggestion is accepted. */
  query: string;
}

const MISTAKE = /The filter '(?<piece>[^']+)'.*Did you mean (?<names>[^?]+)\?/s;

/** A message without the question that the suggestions answer. */
export function statement(message: string): string {
  return message.replace(/\s*Did you mean [^?]+\?/, '');
}

/** The queries that a message about a wrong filter suggests instead. */
export function suggestions(message: string, query: string, vocabulary: Vocabulary): Suggestion[] {
  const { piece = '', names = '' } = MISTAKE.exec(message)?.groups ?? {};
  if (!piece || !query.includes(piece)) return [];
  const colon = piece.indexOf(':') + 1;
  const values = piece.slice(colon).split(',');
  const known = [...vocabulary.languages, ...vocabulary.aliases, ...vocabulary.kinds];
  const wrong = values.findIndex((value) => !known.includes(value.toLowerCase()));
  return names.split(/, | or /).map((name) => {
    const label = `${piece.slice(0, colon)}${values.with(Math.max(wrong, 0), name).join(',')}`;
    return { label, query: query.replace(piece, () => label) };
  });
}

/** The longest line that the list shows whole in a window of 560 pixels. */
const WIDTH = 38;

/** A message in lines that fit the list, broken between words. */
export function wrapped(message: string, most = WIDTH): string[] {
  const lines: string[] = [];
  for (const word of message.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
