import { commands, type Disposable, type Memento, type QuickInputButton, ThemeIcon, workspace } from 'vscode';
import {
  type Hit,
  type IndexStatus,
  type SearchAnswer,
  type SearchParams,
  SemanticSearch,
} from '../protocol';
import type { Supervisor } from '../server/supervisor';
import { overallFiles, overallState } from '../status/text';
import { completions, filterHints, type Hint, type Vocabulary } from './hints';
import { HitPicker, hitItem, type PickItem } from './hitPicker';
import { Latest } from './latest';
import {
  errorItem,
  hintItems,
  moreItem,
  noFolderItem,
  noneItem,
  noneYetItem,
  resultsSeparator,
  waitingItem,
} from './lines';
import { coverageNote, indexingNote } from './present';

const TITLE = 'Sightline: Search Code';
const PLACEHOLDER = 'What does the code do? For example: retry a failed download';
const LAST_QUERY = 'lastQuery';
const PAUSE_MS = 160;
const MORE = 20;

const STATUS: QuickInputButton = { iconPath: new ThemeIcon('info'), tooltip: 'Show Status' };

/** The one live search: what is on screen is always the server's answer to what is in the box. */
export class Search {
  private readonly picker: HitPicker;
  private readonly latest: Latest<SearchParams, SearchAnswer>;
  private readonly listening: Disposable[];
  private limit: number | undefined;
  /** The query that the list answers. */
  private answered: string | undefined;
  /** The list was made while the index was not whole yet. */
  private partial = false;
  private pending = false;
  private takeFirst = false;

  constructor(
    private readonly supervisor: Supervisor,
    private readonly memory: Memento,
    private readonly vocabulary: Vocabulary,
    findRelated: (hit: Hit) => unknown,
  ) {
    this.picker = new HitPicker(findRelated);
    this.latest = new Latest((params, token) => supervisor.request(SemanticSearch, params, token), PAUSE_MS);
    this.listening = [
      supervisor.onDidChangeState(({ kind }) => kind === 'running' && this.ask()),
      supervisor.onDidChangeStatus((status) => this.indexChanged(status)),
    ];
    this.wire();
  }

  show(query?: string): void {
    const { pick } = this.picker;
    pick.title = TITLE;
    pick.placeholder = PLACEHOLDER;
    pick.buttons = [STATUS];
    pick.value = query ?? this.memory.get(LAST_QUERY, '');
    pick.show();
    this.ask();
  }

  private wire(): void {
    const { pick } = this.picker;
    pick.onDidChangeValue(() => {
      this.limit = undefined;
      this.ask();
    });
    pick.onDidAccept(() => this.accept());
    pick.onDidTriggerButton(() => this.leaveFor('sightline.showStatus'));
    pick.onDidHide(() => {
      this.latest.dispose();
      for (const listener of this.listening) listener.dispose();
    });
  }

  private ask(): void {
    const { pick } = this.picker;
    const { hints, query } = completions(pick.value, this.vocabulary);
    void this.memory.update(LAST_QUERY, pick.value.trim());
    this.takeFirst = false;
    this.pending = query.trim() !== '';
    pick.busy = this.pending;
    if (!this.pending) {
      this.latest.cancel();
      this.showHelp(hints);
      return;
    }
    if (hints.length > 0) pick.items = this.hintItems(hints);
    else if (query !== this.answered && !pick.items.some((item) => item.hit))
      pick.items = [this.waitingItem()];
    this.latest.ask(
      this.limit ? { query, limit: this.limit } : { query },
      (answer) => this.showAnswer(query, answer, hints),
      (error) => this.showError(error),
    );
  }

  /** Enter before the answer is there means its first hit, not one of the list before. */
  private accept(): void {
    const [item] = this.picker.pick.activeItems;
    if (this.pending && !item?.take) this.takeFirst = true;
    else this.picker.take(item);
  }

  /** Follows the progress after a partial answer; asks again while there is no hit, and once the index is whole. */
  private indexChanged(status: IndexStatus): void {
    if (!this.partial || this.pending) return;
    const found = this.picker.pick.items.some((item) => item.hit);
    if (found && overallState(status) === 'indexing') this.entitle(indexingNote(...overallFiles(status)));
    else this.ask();
  }

  private showAnswer(query: string, answer: SearchAnswer, hints: Hint[]): void {
    const { results, total, coverage } = answer;
    this.partial = coverage.state === 'indexing';
    const hits = results.map(hitItem);
    const more = total > hits.length ? [moreItem(total, hits.length, () => this.showMore(hits.length))] : [];
    const above = hints.length > 0 ? [...this.hintItems(hints), resultsSeparator] : [];
    const again = query === this.answered;
    this.answered = query;
    this.entitle(coverageNote(coverage));
    this.settle([...above, ...(hits.length > 0 ? hits : [this.emptyItem(answer)]), ...more], again);
  }

  private showError(error: unknown): void {
    const { kind } = this.supervisor.state;
    this.answered = undefined;
    // The answer follows by itself: a running server makes the search ask again.
    if (kind === 'waiting' || kind === 'starting') this.picker.pick.items = [this.waitingItem()];
    else this.settle([errorItem(error, () => this.leaveFor('sightline.repair'))]);
  }

  private showHelp(hints: Hint[]): void {
    const hasFolder = (workspace.workspaceFolders?.length ?? 0) > 0;
    this.entitle();
    this.answered = undefined;
    this.settle(hasFolder ? this.hintItems(hints.length > 0 ? hints : filterHints()) : [noFolderItem()]);
  }

  /** Puts the final list; the same query asked again leaves the focus on its line. */
  private settle(items: PickItem[], keepLine = false): void {
    const { pick } = this.picker;
    const line = pick.items.indexOf(pick.activeItems[0] as PickItem);
    this.pending = false;
    pick.busy = false;
    pick.items = items;
    const focused = keepLine ? items[line] : undefined;
    if (focused) pick.activeItems = [focused];
    if (this.takeFirst) this.picker.take(items.find((item) => item.hit));
    this.takeFirst = false;
  }

  private emptyItem({ coverage }: SearchAnswer): PickItem {
    return this.partial
      ? noneYetItem(coverage, () => this.ask())
      : noneItem(() => this.leaveFor('sightline.showStatus'));
  }

  private hintItems(hints: Hint[]): PickItem[] {
    return hintItems(hints, (query) => {
      this.picker.pick.value = query;
      this.ask();
    });
  }

  private waitingItem(): PickItem {
    return waitingItem(this.supervisor.state.kind === 'running');
  }

  private showMore(shown: number): void {
    this.limit = shown + MORE;
    this.ask();
  }

  private entitle(note?: string): void {
    this.picker.pick.title = note ? `${TITLE} — ${note}` : TITLE;
  }

  private leaveFor(command: string): void {
    this.picker.leave(() => commands.executeCommand(command));
  }
}
