import { NotificationType, type Position, type Range, RequestType } from 'vscode-languageclient/node';

export type { Position, Range };

export interface SearchParams {
  query: string;
  limit?: number;
  /** The file to which `in:here` refers. */
  currentDocument?: string;
}

export interface HitSymbol {
  name: string;
  kind: string;
  container?: string | null;
  signature: string;
}

export interface Hit {
  uri: string;
  range: Range;
  /** Where to land: the name of the symbol, or the best-matching words. */
  selectionRange?: Range;
  folder: string;
  path: string;
  language: string;
  score: number;
  match: 'semantic' | 'keyword' | 'both';
  symbol?: HitSymbol | null;
  contextRange: Range;
  /** The highlights' lines count from the first line of the text. */
  snippet: { text: string; startLine: number; truncated: boolean; highlights?: Range[] };
  /** A few words: why this place was found. */
  why?: string;
  /** The cell of a notebook that contains it, counted from 0; the ranges do not apply then. */
  cell?: number;
  /** Only fills the page. */
  weak?: boolean;
  /** Its relation to the requested place; only in answers of `Related`. */
  reason?: string;
  /** The confidence of the reason. */
  confidence?: 'resolved' | 'likely';
}

export interface Coverage {
  state: 'ready' | 'indexing' | 'degraded';
  filesIndexed: number;
  filesTotal: number;
  reason?: string | null;
}

export interface SearchAnswer {
  results: Hit[];
  total: number;
  tookMs: number;
  cached: boolean;
  confidence: number;
  coverage: Coverage;
}

export interface RelatedParams {
  textDocument: { uri: string };
  position: Position;
  limit?: number;
}

export interface FolderStatus {
  uri: string;
  state: 'opening' | 'indexing' | 'ready' | 'degraded' | 'failed';
  filesIndexed: number;
  filesTotal: number;
  chunks: number;
  chunksEmbedded: number;
  generation: number;
  model: string;
  parse: Record<string, number>;
  /** Files by language. */
  languages: Record<string, number>;
  skipped: Record<string, number>;
  diskBytes: number;
  /** False while another window writes this folder's index. */
  writer: boolean;
  notes: string[];
  lastError?: string | null;
}

export interface IndexStatus {
  folders: FolderStatus[];
  version: string;
}

export const SemanticSearch = new RequestType<SearchParams, SearchAnswer, void>('workspace/semanticSearch');
export const Related = new RequestType<RelatedParams, { results: Hit[] }, void>('textDocument/related');
export interface ToolParams {
  name: string;
  arguments: object;
}

export const CallTool = new RequestType<ToolParams, { text: string }, void>('workspace/sightlineTool');
export const GetIndexStatus = new RequestType<object, IndexStatus, void>('workspace/indexStatus');
export const StatusChanged = new NotificationType<IndexStatus>('$/sightline/statusChanged');
