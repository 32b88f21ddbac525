/** The inline filters, in the order they are offered, with descriptions. */
export const FILTERS = {
  'lang:': 'only this language',
  'kind:': 'only this kind of definition',
  'path:': 'only files that match this glob',
  '-path:': 'no file that matches this glob',
  'in:': 'only changed files, open files, or the folder of the current file',
  '-in:': 'not in changed files, open files, or the folder of the current file',
  'name:': 'only definitions whose name matches this glob',
  '"': 'only code that contains exactly this "text"',
  're:/': 'only code with a line that matches this /pattern/',
} as const;

/** The values of `in:`, with descriptions. */
const SCOPES: Record<string, string> = {
  changed: 'files with changes that are not committed',
  open: 'files that are open in the editor',
  here: 'the folder of the current file',
};

export interface Vocabulary {
  /** Those of the workspace first. */
  languages: readonly string[];
  /** Other names of languages: accepted, not offered. */
  aliases: readonly string[];
  kinds: readonly string[];
  scopes: readonly string[];
  /** Globs worth offering: the folders of the workspace. */
  paths: readonly string[];
}

export interface Hint {
  label: string;
  detail: string;
  /** The query after the hint is accepted. */
  query: string;
}

export interface Hints {
  hints: Hint[];
  /** The query to search for until then: without the filter that is still being typed. */
  query: string;
}

const MOST = 8;
/** FileType.Directory; this module does not import vscode, so that it can be tested alone. */
const DIRECTORY = 2;
const LAST_FILTER = /^(?<before>|.*\s)(?<filter>lang:|kind:|-?path:|-?in:)(?<done>\S*,)?(?<value>[^\s,]*)$/s;
const OPEN_PATTERN = /^(?<before>|.*\s)re:\/(?<typed>(?:[^/\\]|\\.)*)$/s;
const OPEN_QUOTE = /^(?<before>(?:[^"]*"[^"]*")*(?:[^"]*\s)?)"(?<typed>[^"]*)$/s;

function valuesOf(filter: string, vocabulary: Vocabulary): readonly string[] {
  if (filter === 'lang:') return vocabulary.languages;
  if (filter.endsWith('in:')) return vocabulary.scopes;
  return filter === 'kind:' ? vocabulary.kinds : vocabulary.paths;
}

function ranked(values: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  const heads = values.filter((value) => value.startsWith(wanted));
  const rest = values.filter((value) => !value.startsWith(wanted) && value.includes(wanted));
  return [...heads, ...rest].slice(0, MOST);
}

/** A path is free text and counts once it looks like one; other values must be known ones. */
function isFinished(filter: string, value: string, vocabulary: Vocabulary): boolean {
  if (filter.endsWith('path:')) return /[/*.]/.test(value);
  return (
    valuesOf(filter, vocabulary).includes(value) || (filter === 'lang:' && vocabulary.aliases.includes(value))
  );
}

/** Globs of the visible folders of all listings; a folder that cannot be listed contributes none. */
export function topFolders(
  listings: readonly PromiseSettledResult<readonly (readonly [string, number])[]>[],
): string[] {
  const entries = listings.flatMap((listing) => (listing.status === 'fulfilled' ? listing.value : []));
  const folders = entries.filter(([name, type]) => type === DIRECTORY && !name.startsWith('.'));
  return [...new Set(folders.map(([name]) => `${name}/**`))].sort();
}

/** The offer to close a quotation or a pattern that is still being typed. */
function closing(query: string): Hints | undefined {
  const pattern = OPEN_PATTERN.exec(query)?.groups;
  const { before = '', typed = '' } = pattern ?? OPEN_QUOTE.exec(query)?.groups ?? { before: query };
  if (before === query) return undefined;
  const [label, detail] = pattern ? [`re:/${typed}/`, FILTERS['re:/']] : [`"${typed}"`, FILTERS['"']];
  const hints = typed.trim() ? [{ label, detail, query: `${before}${label} ` }] : [];
  return { hints, query: before.trim() };
}

/** Completions for the filter at the end of the query, while it is unfinished. */
export function completions(query: string, vocabulary: Vocabulary): Hints {
  const open = closing(query);
  if (open) return open;
  const found = LAST_FILTER.exec(query)?.groups;
  const { before = '', filter = '', done = '', value = '' } = found ?? {};
  if (!found || isFinished(filter, value, vocabulary)) return { hints: [], query };
  const hints = ranked(valuesOf(filter, vocabulary), value).map((name) => ({
    label: `${filter}${done}${name}`,
    detail: filter === 'in:' ? (SCOPES[name] ?? '') : FILTERS[filter as keyof typeof FILTERS],
    query: `${before}${filter}${done}${name} `,
  }));
  return { hints, query: hints.length > 0 ? before.trim() : query };
}

/** The hints for an empty query: the filters. */
export function filterHints(): Hint[] {
  const closed: Record<string, string> = { '"': '"…"', 're:/': 're:/…/' };
  return Object.entries(FILTERS).map(([filter, detail]) => ({
    label: closed[filter] ?? filter,
    detail,
    query: filter,
  }));
}

/** Languages with those of the workspace first, the most used at the top. */
export function byUse(languages: readonly string[], used: Readonly<Record<string, number>>): string[] {
  const count = (name: string) => used[name] ?? 0;
  return [...languages].sort((one, other) => count(other) - count(one));
}
