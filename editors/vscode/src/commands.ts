import { commands, type Disposable, type ExtensionContext, type LogOutputChannel, window } from 'vscode';
import { collectDebugInfo } from './debugInfo';
import { PRODUCT } from './names';
import { cursor, findRelated, type Place, placeIn } from './related';
import { registerResultCommands } from './results/commands';
import { relatedTo, searchFor } from './results/source';
import type { ResultsView } from './results/view';
import { HitPicker } from './search/hitPicker';
import { Recent } from './search/recent';
import { Search } from './search/search';
import { workspaceVocabulary } from './search/vocabulary';
import type { Remedies } from './server/remedy';
import { problemOf, type Supervisor } from './server/supervisor';
import type { StatusPage } from './status/page';

export interface Parts {
  context: ExtensionContext;
  supervisor: Supervisor;
  remedies: Remedies;
  page: StatusPage;
  results: ResultsView;
  log: LogOutputChannel;
}

async function search(parts: Parts, query?: string): Promise<void> {
  const { supervisor, context, results } = parts;
  const vocabulary = await workspaceVocabulary(supervisor.status);
  new Search(supervisor, new Recent(context.workspaceState), vocabulary, {
    findRelated: (hit) => related(parts, placeIn(hit)),
    keep: (kept, current) => results.keep(searchFor(supervisor, kept, current)),
  }).show(query);
}

function related({ supervisor, results }: Parts, place: Place | undefined): Promise<void> {
  return findRelated(supervisor, place, (kept) => results.keep(relatedTo(supervisor, kept)));
}

function selectedText(): string | undefined {
  const editor = window.activeTextEditor;
  const text = editor?.document.getText(editor.selection).replace(/\s+/g, ' ').trim();
  return text || undefined;
}

async function clear(supervisor: Supervisor): Promise<void> {
  const question = 'Delete the index of this workspace? Reindex builds it again.';
  const answer = await window.showWarningMessage(question, { modal: true }, 'Clear Index');
  if (answer) await supervisor.execute('sightline.clear');
}

/** Runs a command that sends requests to the server; an error is shown, with an action that helps. */
async function guarded(
  remedies: Remedies,
  supervisor: Supervisor,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (problemOf(supervisor.state)) await remedies.offer(supervisor.state);
    else void window.showErrorMessage(`${PRODUCT}: ${(error as Error).message}`);
  }
}

export function registerCommands(parts: Parts): Disposable[] {
  const { context, supervisor, remedies, page, log } = parts;
  const guard = (work: () => Promise<unknown>) => guarded(remedies, supervisor, work);
  const table: Record<string, (...args: never[]) => unknown> = {
    'sightline.search': (query?: string) => search(parts, query),
    'sightline.searchSelection': () => search(parts, selectedText()),
    'sightline.findRelated': (place?: Place) => related(parts, place?.position ? place : cursor()),
    // The key may arrive after the picker is gone; it is then for the one that replaced it.
    'sightline.picker.close': () =>
      HitPicker.current?.close() ?? commands.executeCommand('workbench.action.closeQuickOpen'),
    'sightline.picker.openToSide': () => HitPicker.current?.openBeside(),
    'sightline.picker.findRelated': () => HitPicker.current?.findRelated(),
    'sightline.picker.keep': () => HitPicker.current?.keep(),
    'sightline.reindex': () => guard(() => supervisor.execute('sightline.reindex')),
    'sightline.clear': () => guard(() => clear(supervisor)),
    'sightline.showStatus': () => guard(() => page.show()),
    'sightline.restart': () => supervisor.restart(),
    'sightline.showLogs': () => log.show(),
    'sightline.collectDebugInfo': () => guard(() => collectDebugInfo(context, supervisor)),
    'sightline.repair': () => remedies.offer(supervisor.state),
  };
  return [
    ...Object.entries(table).map(([name, run]) => commands.registerCommand(name, run)),
    ...registerResultCommands(parts.results, {
      search: (query) => search(parts, query),
      findRelated: (hit) => related(parts, placeIn(hit)),
      keep: (query, current) => parts.results.keep(searchFor(supervisor, query, current)),
    }),
  ];
}
