/** The inline filters, in the order they are offered, with what each does. */
export const FILTERS = {
  'lang:': 'only this language',
  'kind:': 'only this kind of definition',
  'path:': 'only files that match this glob',
  '-path:': 'no file that matches this glob',
  'name:': 'only definitions whose name matches this glob',
} as const;

export interface Vocabulary {
  languages: readonly string[];
  /** Other names of languages: understood, not offered. */
  aliases: readonly string[];
  kinds: readonly string[];
  /** Globs worth offering: the folders of the workspace. */
  paths: readonly string[];
}

export interface Hint {
  label: string;
  detail: string;
  /** What the query becomes when the hint is taken. */
  query: string;
}

export interface Hints {
  hints: Hint[];
  /** The query to search for meanwhile: without the filter that is still being typed. */
  query: string;
}

const MOST = 8;
const LAST_FILTER = /(?<before>^|.*\s)(?<filter>lang:|kind:|-?path:)(?<done>\S*,)?(?<value>[^\s,]*)$/;

function valuesOf(filter: string, vocabulary: Vocabulary): readonly string[] {
  if (filter === 'lang:') return vocabulary.languages;
  return filter === 'kind:' ? vocabulary.kinds : vocabulary.paths;
}

function ranked(values: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  const heads = values.filter((value) => value.startsWith(wanted));
  const rest = values.filter((value) => !value.startsWith(wanted) && value.includes(wanted));
  return [...heads, ...rest].slice(0, MOST);
}

/** A path is free text and counts once it looks like one; a language or a kind must be a known one. */
function isFinished(filter: string, value: string, vocabulary: Vocabulary): boolean {
  if (filter.endsWith('path:')) return /[/*.]/.test(value);
  return (
    valuesOf(filter, vocabulary).includes(value) || (filter === 'lang:' && vocabulary.aliases.includes(value))
  );
}

/** Completions for the filter at the end of the query, while it is unfinished. */
export function completions(query: string, vocabulary: Vocabulary): Hints {
  const found = LAST_FILTER.exec(query)?.groups;
  const { before = '', filter = '', done = '', value = '' } = found ?? {};
  if (!found || isFinished(filter, value, vocabulary)) return { hints: [], query };
  const hints = ranked(valuesOf(filter, vocabulary), value).map((name) => ({
    label: `${filter}${done}${name}`,
    detail: FILTERS[filter as keyof typeof FILTERS],
    query: `${before}${filter}${done}${name} `,
  }));
  return { hints, query: hints.length > 0 ? before.trim() : query };
}

/** What an empty query offers: the filters themselves. */
export function filterHints(): Hint[] {
  return Object.entries(FILTERS).map(([filter, detail]) => ({ label: filter, detail, query: filter }));
}
