import { commands, ThemeIcon } from 'vscode';
import { ResponseError } from 'vscode-languageclient/node';
import { filterHints, type Hint, type Vocabulary } from './hints';
import { type PickItem, separator } from './hitPicker';
import { statement, suggestions, wrapped } from './mistake';

const INVALID_PARAMS = -32602;
const EXAMPLES = [
  'where the settings are read',
  'retry after an error',
  'turn text into tokens kind:function',
];

type Write = (query: string) => void;

/** A line that is not a hit: a message, with an action when it is accepted. */
export function actionItem(icon: string, label: string, detail: string, action?: () => unknown): PickItem {
  const item = { label, iconPath: new ThemeIcon(icon), alwaysShow: true, ...(detail ? { detail } : {}) };
  return action ? { ...item, action } : item;
}

export const resultsSeparator = separator('results');

export function hintItems(hints: Hint[], write: Write): PickItem[] {
  const items = hints.map((hint) => ({
    ...actionItem('filter', hint.label, '', () => write(hint.query)),
    description: hint.detail,
  }));
  return [separator('filters'), ...items];
}

function queryItems(heading: string, icon: string, queries: readonly string[], write: Write): PickItem[] {
  const items = queries.map((query) => actionItem(icon, query, '', () => write(query)));
  return items.length > 0 ? [separator(heading), ...items] : [];
}

/** The lines for an empty query: recent queries, examples, and the filters. */
export function helpItems(recent: readonly string[], write: Write): PickItem[] {
  return [
    ...queryItems('recent', 'history', recent, write),
    ...queryItems('examples', 'lightbulb', EXAMPLES, write),
    ...hintItems(filterHints(), write),
  ];
}

export function waitingItem(running: boolean): PickItem {
  return running
    ? actionItem('loading~spin', 'Searching…', '')
    : actionItem('loading~spin', 'Starting the server…', 'The search continues when it runs.');
}

export function moreItem(total: number, shown: number, action: () => void): PickItem {
  return actionItem('ellipsis', 'Show more results', `${shown} of ${total} shown`, action);
}

export function noneItem(action: () => void): PickItem {
  const advice = 'Describe it in other words, or remove a filter. Enter shows what is indexed.';
  return actionItem('search', 'No code found', advice, action);
}

export function nothingCloseItem(): PickItem {
  const advice = 'The results below have little in common with the query. Try other words.';
  return actionItem('circle-slash', 'Nothing close', advice);
}

export function noneYetItem(action: () => void): PickItem {
  return actionItem('sync', 'Nothing found yet', 'The list is updated as more files are indexed.', action);
}

export function noFolderItem(): PickItem {
  const openFolder = () => commands.executeCommand('workbench.action.files.openFolder');
  return actionItem('folder-opened', 'Open a folder to search it', 'Nothing is indexed yet.', openFolder);
}

/** A message over several lines, so that none of it is cut off. */
function messageItems(icon: string, message: string): PickItem[] {
  return wrapped(message).map((line, index) => actionItem(index === 0 ? icon : 'blank', line, ''));
}

/** An error in lines; one that is not about the query has an action that helps. */
export function errorItems(error: unknown, repair: () => void): PickItem[] {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ResponseError && error.code === INVALID_PARAMS)
    return messageItems('warning', message);
  return [...messageItems('error', message), actionItem('tools', 'Show what to do about it', '', repair)];
}

/** A wrong filter, and suggestions for it; empty if the error is not about a filter. */
export function mistakeItems(
  error: unknown,
  query: string,
  vocabulary: Vocabulary,
  write: Write,
): PickItem[] {
  const message = error instanceof ResponseError ? error.message : '';
  const suggested = suggestions(message, query, vocabulary).map((each) =>
    actionItem('lightbulb', `Did you mean ${each.label}?`, '', () => write(each.query)),
  );
  return suggested.length > 0 ? [...messageItems('warning', statement(message)), ...suggested] : [];
}
