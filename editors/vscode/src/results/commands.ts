import { commands, type Disposable, env, Uri, window } from 'vscode';
import type { Hit } from '../protocol';
import { selectionOf } from '../search/marking';
import { open } from '../search/preview';
import { OPEN } from './items';
import type { HitNode } from './nodes';
import type { ResultsView } from './view';

interface Actions {
  search(query?: string): Promise<void>;
  findRelated(hit: Hit): Promise<void>;
  keep(query: string): Promise<void>;
}

/** Shows a result and leaves the focus in the list, to go on from there. */
async function look(hit: Hit): Promise<void> {
  const options = { preview: true, preserveFocus: true, selection: selectionOf(hit) };
  await window.showTextDocument(Uri.parse(hit.uri), options);
}

async function step(view: ResultsView, by: number): Promise<void> {
  const node = await view.step(by);
  if (node) await look(node.hit);
}

/** The glob that leaves out the folder a path stands in, or the file where it stands in none. */
function without(path: string): string {
  const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  return `-path:${folder ? `${folder}/**` : path}`;
}

export function registerResultCommands(
  view: ResultsView,
  { search, findRelated, keep }: Actions,
): Disposable[] {
  const table: Record<string, (node: HitNode) => unknown> = {
    [OPEN]: ({ hit }) => look(hit),
    'sightline.results.openToSide': ({ hit }) => open(hit, true),
    'sightline.results.findRelated': ({ hit }) => findRelated(hit),
    'sightline.results.copyPath': ({ hit }) => env.clipboard.writeText(hit.path),
    'sightline.results.excludeFolder': ({ hit }) => keep(`${view.source?.query} ${without(hit.path)}`),
    'sightline.results.search': () => search(view.source?.query),
    'sightline.results.refresh': () => view.refresh(),
    'sightline.results.clear': () => view.clear(),
    'sightline.results.byFile': () => view.arrange(true),
    'sightline.results.byRank': () => view.arrange(false),
    'sightline.nextResult': () => step(view, 1),
    'sightline.previousResult': () => step(view, -1),
  };
  return Object.entries(table).map(([name, run]) => commands.registerCommand(name, run));
}
