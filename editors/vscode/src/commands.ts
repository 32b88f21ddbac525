import { commands, type Disposable, type ExtensionContext, type LogOutputChannel, window } from 'vscode';
import { collectDebugInfo } from './debugInfo';
import { findRelated, type Place } from './related';
import { Search } from './search/search';
import { workspaceVocabulary } from './search/vocabulary';
import type { Remedies } from './server/remedy';
import { obstacle, type Supervisor } from './server/supervisor';
import type { StatusPage } from './status/page';

export interface Parts {
  context: ExtensionContext;
  supervisor: Supervisor;
  remedies: Remedies;
  page: StatusPage;
  log: LogOutputChannel;
}

async function search({ supervisor, context }: Parts, query?: string): Promise<void> {
  const vocabulary = await workspaceVocabulary();
  new Search(supervisor, context.workspaceState, vocabulary, (hit) =>
    findRelated(supervisor, { uri: hit.uri, position: hit.range.start }),
  ).show(query);
}

function selectedText(): string | undefined {
  const editor = window.activeTextEditor;
  const text = editor?.document.getText(editor.selection).replace(/\s+/g, ' ').trim();
  return text || undefined;
}

async function clear(supervisor: Supervisor): Promise<void> {
  const question = 'Delete the index of this workspace? Reindex makes it again.';
  const answer = await window.showWarningMessage(question, { modal: true }, 'Clear Index');
  if (answer) await supervisor.execute('sightline.clear');
}

/** Runs a command that talks to the server; what goes wrong is said, with a way out. */
async function guarded(
  remedies: Remedies,
  supervisor: Supervisor,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (obstacle(supervisor.state)) await remedies.offer(supervisor.state);
    else void window.showErrorMessage(`Sightline: ${(error as Error).message}`);
  }
}

export function registerCommands(parts: Parts): Disposable[] {
  const { context, supervisor, remedies, page, log } = parts;
  const guard = (work: () => Promise<unknown>) => guarded(remedies, supervisor, work);
  const table: Record<string, (...args: never[]) => unknown> = {
    'sightline.search': (query?: string) => search(parts, query),
    'sightline.searchSelection': () => search(parts, selectedText()),
    'sightline.findRelated': (place?: Place) => findRelated(supervisor, place?.position ? place : undefined),
    'sightline.reindex': () => guard(() => supervisor.execute('sightline.reindex')),
    'sightline.clear': () => guard(() => clear(supervisor)),
    'sightline.showStatus': () => guard(() => page.show()),
    'sightline.restart': () => supervisor.restart(),
    'sightline.showLogs': () => log.show(),
    'sightline.collectDebugInfo': () => guard(() => collectDebugInfo(context, supervisor)),
    'sightline.repair': () => remedies.offer(supervisor.state),
  };
  return Object.entries(table).map(([name, run]) => commands.registerCommand(name, run));
}
