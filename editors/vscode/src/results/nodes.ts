import type { Hit } from '../protocol';
import { grouped } from '../search/groups';

export interface HitNode {
  kind: 'hit';
  hit: Hit;
  parent?: BranchNode;
}

export interface BranchNode {
  kind: 'group' | 'file';
  name: string;
  children: HitNode[];
}

export type Node = HitNode | BranchNode;

function branch(kind: BranchNode['kind'], name: string, hits: readonly Hit[]): BranchNode {
  const node: BranchNode = { kind, name, children: [] };
  node.children = hits.map((hit) => ({ kind: 'hit', hit, parent: node }));
  return node;
}

/** Best first, with what belongs under a heading in a branch. */
export function byRank(hits: readonly Hit[]): Node[] {
  return grouped(hits).flatMap(({ name, hits: members }): Node[] =>
    name ? [branch('group', name, members)] : members.map((hit) => ({ kind: 'hit', hit })),
  );
}

/** A branch for each file, in the order of its best hit; inside by line. */
export function byFile(hits: readonly Hit[]): Node[] {
  const files = new Map<string, Hit[]>();
  for (const hit of hits) files.set(hit.uri, [...(files.get(hit.uri) ?? []), hit]);
  return [...files.values()].map((members) => {
    const sorted = members.toSorted((one, other) => one.range.start.line - other.range.start.line);
    return branch('file', members[0]?.path ?? '', sorted);
  });
}

/** The hits as the tree shows them from top to bottom. */
export function leaves(nodes: readonly Node[]): HitNode[] {
  return nodes.flatMap((node) => (node.kind === 'hit' ? [node] : node.children));
}
