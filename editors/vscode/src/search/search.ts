import { commands, type Disposable, workspace } from 'vscode';
import { PRODUCT } from '../names';
import {
  type Hit,
  type IndexStatus,
  type SearchAnswer,
  type SearchParams,
  SemanticSearch,
} from '../protocol';
import type { Supervisor } from '../server/supervisor';
import { overallState, progressOf } from '../status/text';
import { currentFile } from './current';
import { nothingClose } from './groups';
import { completions, type Hint, type Vocabulary } from './hints';
import { type HitActions, HitPicker, hitItems, type PickItem } from './hitPicker';
import { Latest } from './latest';
import {
  errorItems,
  helpItems,
  hintItems,
  mistakeItems,
  moreItem,
  noFolderItem,
  noneItem,
  noneYetItem,
  nothingCloseItem,
  resultsSeparator,
  waitingItem,
} from './lines';
import { degradedNote } from './present';
import type { Recent } from './recent';

const TITLE = `${PRODUCT}: Search Code`;
const PLACEHOLDER = 'What does the code do?';
const PAUSE_MS = 160;
const MORE = 20;

function samePlace(one: Hit, other: Hit): boolean {
  return one.uri === other.uri && one.range.start.line === other.range.start.line;
}

/** The focused item in the shown list: a completion of the previous list stands for the same one in this list. */
function shownItem(item: PickItem | undefined, items: readonly PickItem[]): PickItem | undefined {
  if (!item || items.includes(item)) return item;
  return items.find(({ label, action }) => action && label === item.label);
}

function firstHit(items: readonly PickItem[]): PickItem | undefined {
  return items.find(({ hit }) => hit && !hit.weak);
}

/** The live search: the list always shows the server's answer to the query in the input box. */
export class Search {
  private readonly picker: HitPicker;
  private readonly latest: Latest<SearchParams, SearchAnswer>;
  private readonly listening: Disposable[];
  /** Determined before a preview becomes the active editor. */
  private readonly current = currentFile();
  private limit: number | undefined;
  /** The query whose results are in the list. */
  private answered: string | undefined;
  /** Whether the list was made while the index was incomplete. */
  private partial = false;
  /** Why the list is incomplete, although the index is complete. */
  private note: string | undefined;
  private pending = false;
  private acceptFirst = false;

  constructor(
    private readonly supervisor: Supervisor,
    private readonly recent: Recent,
    private readonly vocabulary: Vocabulary,
    actions: Pick<HitActions, 'findRelated'> & { keep(query: string, current?: string): unknown },
  ) {
    this.picker = new HitPicker({
      findRelated: actions.findRelated,
      keep: () => actions.keep(this.answered ?? '', this.current),
    });
    this.latest = new Latest((params, token) => supervisor.request(SemanticSearch, params, token), PAUSE_MS);
    this.listening = [
      supervisor.onDidChangeState(({ kind }) => kind === 'running' && this.ask()),
      supervisor.onDidChangeStatus((status) => this.indexChanged(status)),
    ];
    this.wire();
  }

  show(query?: string): void {
    const { pick } = this.picker;
    pick.placeholder = PLACEHOLDER;
    pick.value = query ?? this.recent.queries[0] ?? '';
    this.entitle();
    this.picker.show();
    this.ask();
  }

  private wire(): void {
    const { pick } = this.picker;
    pick.onDidChangeValue(() => {
      this.limit = undefined;
      this.ask();
    });
    pick.onDidAccept(() => this.accept());
    pick.onDidHide(() => {
      if (this.answered && pick.items.some((item) => item.hit)) this.recent.add(this.answered.trim());
      this.latest.dispose();
      for (const listener of this.listening) listener.dispose();
    });
  }

  private ask(): void {
    const { pick } = this.picker;
    const { hints, query } = completions(pick.value, this.vocabulary);
    this.acceptFirst = false;
    this.pending = query.trim() !== '';
    pick.busy = this.pending;
    if (!this.pending) {
      this.latest.cancel();
      this.showHelp(hints);
      return;
    }
    // The hits on screen stay until the answer arrives, so that the list does not flicker while the user types.
    const hits = pick.items.filter((item) => item.hit);
    if (hints.length > 0) pick.items = [...this.above(hints), ...hits];
    else if (query !== this.answered && hits.length === 0) pick.items = [this.waitingItem()];
    this.latest.ask(
      {
        query,
        ...(this.limit ? { limit: this.limit } : {}),
        ...(this.current ? { currentDocument: this.current } : {}),
      },
      (answer) => this.showAnswer(query, answer, hints),
      (error) => this.showError(query, error),
    );
  }

  /** Enter before the answer arrives, or before its list is shown, opens its first hit, not one of the previous list. */
  private accept(): void {
    const { items, activeItems } = this.picker.pick;
    const [item] = activeItems;
    if (this.pending && !item?.action) this.acceptFirst = true;
    else this.picker.accept(shownItem(item, items) ?? firstHit(items));
  }

  /** Follows the progress after a partial answer; repeats the search while there is no hit, and once the index is complete. */
  private indexChanged(status: IndexStatus): void {
    this.entitle();
    if (!this.partial || this.pending) return;
    const found = this.picker.pick.items.some((item) => item.hit);
    if (!found || overallState(status) !== 'indexing') this.ask();
  }

  private showAnswer(query: string, answer: SearchAnswer, hints: Hint[]): void {
    const { results, total, coverage } = answer;
    this.partial = coverage.state === 'indexing';
    const shown = results.length;
    const more = total > shown ? [moreItem(total, shown, () => this.showMore(shown))] : [];
    const above = this.above(hints);
    if (nothingClose(results)) above.push(nothingCloseItem());
    const again = query === this.answered;
    this.answered = query;
    this.note = degradedNote(coverage);
    this.entitle();
    this.settle([...above, ...(shown > 0 ? hitItems(results) : [this.emptyItem()]), ...more], again);
  }

  private showError(query: string, error: unknown): void {
    const { kind } = this.supervisor.state;
    this.answered = undefined;
    // The search is repeated automatically when the server runs.
    if (kind === 'waiting' || kind === 'starting') this.picker.pick.items = [this.waitingItem()];
    else {
      const mistake = mistakeItems(error, query, this.vocabulary, this.write);
      const first = mistake.find((item) => item.action);
      this.settle(first ? mistake : errorItems(error, () => this.leaveFor('sightline.repair')));
      if (first) this.picker.pick.activeItems = [first];
    }
  }

  private showHelp(hints: Hint[]): void {
    const hasFolder = (workspace.workspaceFolders?.length ?? 0) > 0;
    this.answered = undefined;
    if (!hasFolder) this.settle([noFolderItem()]);
    else if (hints.length > 0) this.settle(hintItems(hints, this.write));
    else this.settle(helpItems(this.recent.queries, this.write));
  }

  /** Shows the final list; if the same query is repeated, the same place keeps the focus. */
  private settle(items: PickItem[], again = false): void {
    const { pick } = this.picker;
    const focused = again && pick.activeItems[0]?.hit;
    this.pending = false;
    pick.busy = false;
    pick.items = items;
    const same = focused && items.find(({ hit }) => hit && samePlace(hit, focused));
    if (same) pick.activeItems = [same];
    if (this.acceptFirst) this.picker.accept(firstHit(items));
    this.acceptFirst = false;
  }

  private above(hints: Hint[]): PickItem[] {
    return hints.length > 0 ? [...hintItems(hints, this.write), resultsSeparator] : [];
  }

  private emptyItem(): PickItem {
    return this.partial
      ? noneYetItem(() => this.ask())
      : noneItem(() => this.leaveFor('sightline.showStatus'));
  }

  private readonly write = (query: string): void => {
    this.picker.pick.value = query;
    this.ask();
  };

  private waitingItem(): PickItem {
    return waitingItem(this.supervisor.state.kind === 'running');
  }

  private showMore(shown: number): void {
    this.limit = shown + MORE;
    this.ask();
  }

  /** The title shows the progress of indexing, with the same text as the status bar. */
  private entitle(): void {
    const { status } = this.supervisor;
    const note = (status && progressOf(status)?.text) ?? this.note;
    this.picker.pick.title = note ? `${TITLE} — ${note}` : TITLE;
  }

  private leaveFor(command: string): void {
    this.picker.leave(() => commands.executeCommand(command));
  }
}
