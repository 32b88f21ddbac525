import { commands, type Disposable, EventEmitter, type Memento, type TreeDataProvider, window } from 'vscode';
import type { IndexStatus } from '../protocol';
import type { Supervisor } from '../server/supervisor';
import { overallState } from '../status/text';
import { itemOf } from './items';
import { byFile, byRank, type HitNode, leaves, type Node } from './nodes';
import type { Found, Source } from './source';

const VIEW = 'sightline.results';
const HAS_RESULTS = 'sightline.hasResults';
const BY_FILE = 'sightline.resultsByFile';
const KEPT = 'keptSearch';
const SETTLE_MS = 400;

/** A search whose results were in the view when the window was closed. */
export interface KeptSearch {
  query: string;
  current?: string;
}

function generation(status: IndexStatus): number {
  return status.folders.reduce((sum, folder) => sum + folder.generation, 0);
}

/** The side bar's list of kept results; the search is repeated when the index has changed. */
export class ResultsView implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly tree = window.createTreeView<Node>(VIEW, { treeDataProvider: this });
  private readonly listeners: Disposable[];
  private found: Found = { hits: [], total: 0 };
  private nodes: Node[] = [];
  private seen = 0;
  /** The result that was selected or stepped to last: its identity, and its position. */
  private last = { id: '', index: 0 };
  private timer: NodeJS.Timeout | undefined;
  source: Source | undefined;

  constructor(
    supervisor: Supervisor,
    private readonly memory: Memento,
  ) {
    this.listeners = [
      supervisor.onDidChangeStatus((status) => this.indexChanged(status)),
      this.tree.onDidChangeSelection(({ selection: [node] }) => node?.kind === 'hit' && this.remember(node)),
    ];
    this.arrange(memory.get(BY_FILE, false));
  }

  readonly getTreeItem = itemOf;

  getChildren(node?: Node): Node[] {
    if (!node) return this.nodes;
    return node.kind === 'hit' ? [] : node.children;
  }

  getParent(node: Node): Node | undefined {
    return node.kind === 'hit' ? node.parent : undefined;
  }

  /** The search to start with in a new window, if there is one. */
  get kept(): KeptSearch | undefined {
    return this.memory.get<KeptSearch>(KEPT);
  }

  /** Shows the results of a search as soon as there is an index. */
  restore(source: Source): void {
    this.source = source;
    this.tree.message = `${source.title} — waiting for the index`;
  }

  /** Shows the results of a search instead of the previous ones, and moves the focus to them. */
  async keep(source: Source): Promise<void> {
    const { query, current } = source;
    this.source = source;
    this.last = { id: '', index: 0 };
    void this.memory.update(KEPT, query ? { query, current } : undefined);
    await this.refresh();
    await this.focus();
  }

  /** Repeats the search; a failure keeps the list and shows a message. */
  async refresh(): Promise<void> {
    const { source } = this;
    if (!source) return;
    try {
      const found = await window.withProgress({ location: { viewId: VIEW } }, () => source.load());
      if (this.source === source) this.show(found);
    } catch (error) {
      this.tree.message = (error as Error).message;
    }
  }

  clear(): void {
    this.source = undefined;
    void this.memory.update(KEPT, undefined);
    this.show({ hits: [], total: 0 });
  }

  arrange(asFiles: boolean): void {
    void this.memory.update(BY_FILE, asFiles);
    void commands.executeCommand('setContext', BY_FILE, asFiles);
    this.nodes = asFiles ? byFile(this.found.hits) : byRank(this.found.hits);
    this.changed.fire();
  }

  /** Selects the next result (`by` is 1) or the previous one (-1), around the end, and returns it. */
  async step(by: 1 | -1): Promise<HitNode | undefined> {
    const all = leaves(this.nodes);
    const next = all[(this.position(all, by) + by + all.length) % all.length];
    if (!next) return undefined;
    this.remember(next);
    // Revealing would open a side bar that the user has closed.
    if (this.tree.visible) await this.tree.reveal(next, { select: true, focus: false });
    return next;
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const listener of this.listeners) listener.dispose();
    this.tree.dispose();
    this.changed.dispose();
  }

  private remember(node: HitNode): void {
    this.last = { id: node.id, index: leaves(this.nodes).findIndex(({ id }) => id === node.id) };
  }

  /** Where stepping continues: at the last result, or at its former position. */
  private position(all: readonly HitNode[], by: 1 | -1): number {
    const found = all.findIndex(({ id }) => id === this.last.id);
    if (found >= 0) return found;
    return by > 0 ? this.last.index - 1 : this.last.index;
  }

  /** Once the results are there: with the text of the empty view, its focus would disappear. */
  private async focus(): Promise<void> {
    const [first] = this.nodes;
    if (first) await this.tree.reveal(first, { select: false, focus: true });
    else await commands.executeCommand(`${VIEW}.focus`);
  }

  private show(found: Found): void {
    this.found = found;
    const shown = found.hits.length;
    const counted = shown < found.total ? `${shown} of ${found.total} results` : `${shown} results`;
    this.tree.message = this.source
      ? `${this.source.title} — ${shown === 0 ? 'nothing found' : counted}`
      : '';
    void commands.executeCommand('setContext', HAS_RESULTS, this.source !== undefined);
    this.arrange(this.memory.get(BY_FILE, false));
  }

  /** Changes come in bursts: the search is repeated after the last of them. */
  private indexChanged(status: IndexStatus): void {
    if (generation(status) === this.seen || overallState(status) === 'indexing') return;
    this.seen = generation(status);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), SETTLE_MS);
  }
}
