import type { Hit } from '../protocol';
import { grouped, WEAK } from '../search/groups';
import { titleOf } from '../search/present';

export interface HitNode {
  kind: 'hit';
  /** Stays the same when lines above the hit are added or removed. */
  id: string;
  hit: Hit;
  parent?: BranchNode;
}

export interface BranchNode {
  kind: 'group' | 'file';
  name: string;
  children: HitNode[];
}

export type Node = HitNode | BranchNode;

/** Names for hits that are unique in one list: several hits can be in one long function. */
function identities(): (hit: Hit) => string {
  const seen = new Map<string, number>();
  return (hit) => {
    const name = `${hit.uri}#${titleOf(hit)}`;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return `${name}#${count}`;
  };
}

function branch(
  kind: BranchNode['kind'],
  name: string,
  hits: readonly Hit[],
  identify: (hit: Hit) => string,
): BranchNode {
  const node: BranchNode = { kind, name, children: [] };
  node.children = hits.map((hit) => ({ kind: 'hit', id: identify(hit), hit, parent: node }));
  return node;
}

/** Best first; hits with a heading are in a branch. */
export function byRank(hits: readonly Hit[]): Node[] {
  const identify = identities();
  return grouped(hits).flatMap(({ name, hits: members }): Node[] =>
    name
      ? [branch('group', name, members, identify)]
      : members.map((hit) => ({ kind: 'hit', id: identify(hit), hit })),
  );
}

/** A branch for each file, in the order of its best hit; inside by line. Weak hits have a separate branch. */
export function byFile(hits: readonly Hit[]): Node[] {
  const identify = identities();
  const files = new Map<string, Hit[]>();
  const weak = hits.filter((hit) => hit.weak);
  for (const hit of hits.filter((each) => !each.weak))
    files.set(hit.uri, [...(files.get(hit.uri) ?? []), hit]);
  const branches = [...files.values()].map((members) => {
    const sorted = members.toSorted((one, other) => one.range.start.line - other.range.start.line);
    return branch('file', members[0]?.path ?? '', sorted, identify);
  });
  return weak.length > 0 ? [...branches, branch('group', WEAK, weak, identify)] : branches;
}

/** The hits as the tree shows them from top to bottom. */
export function leaves(nodes: readonly Node[]): HitNode[] {
  return nodes.flatMap((node) => (node.kind === 'hit' ? [node] : node.children));
}
