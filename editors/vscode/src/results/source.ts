import type { Hit } from '../protocol';
import { Related, SemanticSearch } from '../protocol';
import { nameOf, type Place } from '../related';
import type { Supervisor } from '../server/supervisor';

/** The tree scrolls, so all of them are loaded at once. */
const MOST_RESULTS = 500;
const MOST_RELATED = 100;

export interface Found {
  hits: Hit[];
  total: number;
}

/** A request whose results are kept, and which is repeated when the index has changed. */
export interface Source {
  title: string;
  /** The query; a request for related code has none. */
  query?: string;
  /** The file that was active then. */
  current?: string;
  load(): Promise<Found>;
}

/** A search; `current` is the file that was active at that time. */
export function searchFor(supervisor: Supervisor, query: string, current?: string): Source {
  return {
    title: query,
    query,
    ...(current ? { current } : {}),
    load: async () => {
      const params = { query, limit: MOST_RESULTS, ...(current ? { currentDocument: current } : {}) };
      const { results, total } = await supervisor.request(SemanticSearch, params);
      return { hits: results, total };
    },
  };
}

export function relatedTo(supervisor: Supervisor, place: Place): Source {
  const params = { textDocument: { uri: place.uri }, position: place.position, limit: MOST_RELATED };
  return {
    title: `related to ${nameOf(place)}`,
    load: async () => {
      const { results } = await supervisor.request(Related, params);
      return { hits: results, total: results.length };
    },
  };
}
