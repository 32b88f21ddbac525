import { commands, QuickPickItemKind, ThemeIcon } from 'vscode';
import { ResponseError } from 'vscode-languageclient/node';
import type { Coverage } from '../protocol';
import type { Hint } from './hints';
import type { PickItem } from './hitPicker';
import { percent } from './present';

const INVALID_PARAMS = -32602;

/** A line that is not a hit: it tells something and, when taken, does something. */
export function actionItem(icon: string, label: string, detail: string, take?: () => unknown): PickItem {
  const item = { label, detail, iconPath: new ThemeIcon(icon), alwaysShow: true };
  return take ? { ...item, take } : item;
}

export const resultsSeparator: PickItem = { label: 'results', kind: QuickPickItemKind.Separator };

export function hintItems(hints: Hint[], write: (query: string) => void): PickItem[] {
  const items = hints.map((hint) => ({
    ...actionItem('filter', hint.label, '', () => write(hint.query)),
    description: hint.detail,
  }));
  return [{ label: 'filters', kind: QuickPickItemKind.Separator }, ...items];
}

export function waitingItem(running: boolean): PickItem {
  return running
    ? actionItem('loading~spin', 'Searching…', '')
    : actionItem('loading~spin', 'Starting the server…', 'The answer follows when it is up.');
}

export function moreItem(total: number, shown: number, take: () => void): PickItem {
  return actionItem('ellipsis', 'Show more results', `${shown} of ${total} shown`, take);
}

export function noneItem(take: () => void): PickItem {
  const advice = 'Describe it in other words, or remove a filter. Enter shows what is indexed.';
  return actionItem('search', 'No code found', advice, take);
}

export function noneYetItem({ filesIndexed, filesTotal }: Coverage, take: () => void): PickItem {
  const done = `${percent(filesIndexed, filesTotal)} % of ${filesTotal} files are indexed`;
  return actionItem('sync', 'Nothing found yet', `${done}; the list follows when there is more.`, take);
}

export function noFolderItem(): PickItem {
  const openFolder = () => commands.executeCommand('workbench.action.files.openFolder');
  return actionItem('folder-opened', 'Open a folder to search it', 'Nothing is indexed yet.', openFolder);
}

/** A query that the server cannot read is the user's to change; anything else has a remedy. */
export function errorItem(error: unknown, repair: () => void): PickItem {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof ResponseError && error.code === INVALID_PARAMS
    ? actionItem('warning', message, 'Change the query; an empty one lists the filters.')
    : actionItem('error', message, 'Enter shows what can be done about it.', repair);
}
