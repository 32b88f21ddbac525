import type { Hit } from '../protocol';
import { Related, SemanticSearch } from '../protocol';
import { nameOf, type Place } from '../related';
import type { Supervisor } from '../server/supervisor';

/** So many at once that nobody has to ask for more. */
const MOST_RESULTS = 200;
const MOST_RELATED = 100;

export interface Found {
  hits: Hit[];
  total: number;
}

/** A question whose answer is kept, and asked again when the index has changed. */
export interface Source {
  title: string;
  /** What was searched for; a question about a place has none. */
  query?: string;
  load(): Promise<Found>;
}

export function searchFor(supervisor: Supervisor, query: string): Source {
  return {
    title: query,
    query,
    load: async () => {
      const params = { query, limit: MOST_RESULTS };
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
