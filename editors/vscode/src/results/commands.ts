import { commands, type Disposable, env, Uri } from 'vscode';
import type { Hit } from '../protocol';
import { open, showHit } from '../search/open';
import { OPEN } from './items';
import type { HitNode, Node } from './nodes';
import type { ResultsView } from './view';

interface Actions {
  search(query?: string): Promise<void>;
  findRelated(hit: Hit): Promise<void>;
  keep(query: string, current?: string): Promise<void>;
}

/** A hit of a node; for a file, any of its hits. */
function hitOf(node: Node): Hit | undefined {
  return node.kind === 'hit' ? node.hit : node.children[0]?.hit;
}

async function step(view: ResultsView, by: 1 | -1): Promise<void> {
  const node = await view.step(by);
  if (node) await showHit(node.hit);
}

/** The glob that excludes the folder of a path, or the file if it is in no folder. */
function without(path: string): string {
  const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  return `-path:${folder ? `${folder}/**` : path}`;
}

export function registerResultCommands(
  view: ResultsView,
  { search, findRelated, keep }: Actions,
): Disposable[] {
  const copy = (text: string | undefined) => text && env.clipboard.writeText(text);
  const exclude = (path: string) => keep(`${view.source?.query} ${without(path)}`, view.source?.current);
  const table: Record<string, (node: never) => unknown> = {
    [OPEN]: ({ hit }: HitNode) => showHit(hit),
    'sightline.results.openToSide': ({ hit }: HitNode) => open(hit, true),
    'sightline.results.findRelated': ({ hit }: HitNode) => findRelated(hit),
    'sightline.results.copyPath': (node: Node) => copy(Uri.parse(hitOf(node)?.uri ?? '').fsPath),
    'sightline.results.copyRelativePath': (node: Node) => copy(hitOf(node)?.path),
    'sightline.results.excludeFolder': (node: Node) => exclude(hitOf(node)?.path ?? ''),
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
