import type { Hit } from '../protocol';

/** The heading of weak hits, which only fill the page. */
export const WEAK = 'less likely';

export interface Group {
  /** Empty if the group needs no heading. */
  name: string;
  hits: Hit[];
}

function groupOf(hit: Hit): string {
  return hit.reason ?? (hit.weak ? WEAK : '');
}

/** Hits under the headings they belong to, each group in the server's order, weak ones last. */
export function grouped(hits: readonly Hit[]): Group[] {
  const groups = new Map<string, Hit[]>();
  for (const hit of hits) groups.set(groupOf(hit), [...(groups.get(groupOf(hit)) ?? []), hit]);
  const ordered = [...groups].map(([name, members]) => ({ name, hits: members }));
  return [...ordered.filter(({ name }) => name !== WEAK), ...ordered.filter(({ name }) => name === WEAK)];
}

/** True if every hit is weak. */
export function nothingClose(hits: readonly Hit[]): boolean {
  return hits.length > 0 && hits.every((hit) => hit.weak);
}
