import {
  commands,
  type Disposable,
  type QuickInputButton,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  ThemeIcon,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Hit } from '../protocol';
import { grouped } from './groups';
import { KEY_LINE, KEYS } from './keys';
import { open } from './open';
import { descriptionOf, detailOf, iconOf, titleOf } from './present';
import { Preview } from './preview';

/** A line of the picker: a hit, or another action. */
export interface PickItem extends QuickPickItem {
  hit?: Hit;
  action?: () => unknown;
}

/** The actions on hits besides opening them. */
export interface HitActions {
  findRelated(hit: Hit): unknown;
  /** Keeps the list in the side bar. */
  keep(): unknown;
}

const PICKING = 'sightline.picking';
const BESIDE: QuickInputButton = {
  iconPath: new ThemeIcon('split-horizontal'),
  tooltip: `Open to the Side (${KEYS.beside})`,
};
const RELATED: QuickInputButton = {
  iconPath: new ThemeIcon('references'),
  tooltip: `Find Related (${KEYS.related})`,
};
const KEEP: QuickInputButton = {
  iconPath: new ThemeIcon('list-tree'),
  tooltip: `Send to the Side Bar (${KEYS.keep})`,
};

/** Members that are missing in the types of the oldest supported version; an older VS Code ignores them. */
interface NewerPick {
  /** Not in the published types, but supported since 2019: without it VS Code re-sorts the hits by label. */
  sortByLabel: boolean;
  /** A line between the input and the list. */
  prompt: string;
}

function folderName(hit: Hit): string | undefined {
  const folders = workspace.workspaceFolders ?? [];
  return folders.length > 1 ? workspace.getWorkspaceFolder(Uri.parse(hit.uri))?.name : undefined;
}

/** A hit as a line; always shown, because the server has matched it already. */
function hitItem(hit: Hit): PickItem {
  return {
    hit,
    label: titleOf(hit),
    description: descriptionOf(hit, folderName(hit)),
    detail: detailOf(hit),
    iconPath: new ThemeIcon(iconOf(hit)),
    alwaysShow: true,
    buttons: [BESIDE, RELATED],
  };
}

export function separator(label: string): PickItem {
  return { label, kind: QuickPickItemKind.Separator };
}

/** Hits as lines, with a divider before each group that has a name. */
export function hitItems(hits: readonly Hit[]): PickItem[] {
  return grouped(hits).flatMap(({ name, hits: members }) => [
    ...(name ? [separator(name)] : []),
    ...members.map(hitItem),
  ]);
}

function createPick(): QuickPick<PickItem> & NewerPick {
  const pick = window.createQuickPick<PickItem>() as QuickPick<PickItem> & NewerPick;
  pick.matchOnDescription = false;
  pick.matchOnDetail = false;
  pick.sortByLabel = false;
  pick.prompt = KEY_LINE;
  return pick;
}

/** A quick-pick over hits: previews the focused one, opens the chosen one, and otherwise restores the editors. */
export class HitPicker implements Disposable {
  /** The picker that receives the keys. */
  static current: HitPicker | undefined;
  readonly pick = createPick();
  private readonly preview = new Preview();
  private chosen = false;
  private closing = false;

  constructor(private readonly actions: HitActions) {
    this.pick.buttons = [KEEP];
    this.pick.onDidChangeActive(([item]) => (item?.hit ? this.preview.show(item.hit) : this.preview.clear()));
    this.pick.onDidTriggerButton((button) => button === KEEP && this.keep());
    this.pick.onDidTriggerItemButton(({ item, button }) =>
      button === BESIDE ? this.openBeside(item) : this.findRelated(item),
    );
    this.pick.onDidHide(() => void this.hidden());
  }

  show(): void {
    HitPicker.current = this;
    void commands.executeCommand('setContext', PICKING, true);
    this.pick.show();
  }

  /** Opens a hit and closes the picker, or runs the action of a line, which controls the picker. */
  accept(item: PickItem | undefined): void {
    if (item?.hit) this.leave(() => open(item.hit as Hit));
    else item?.action?.();
  }

  openBeside(item = this.pick.activeItems[0]): void {
    const { hit } = item ?? {};
    if (hit) this.leave(() => open(hit, true));
  }

  findRelated(item = this.pick.activeItems[0]): void {
    const { hit } = item ?? {};
    if (hit) this.leave(() => this.actions.findRelated(hit));
  }

  keep(): void {
    if (this.pick.items.some((item) => item.hit)) this.leave(() => this.actions.keep());
  }

  /**
   * Restores the editors and then closes the picker. In this order VS Code itself gives the focus back, at once:
   * its element is visible again. Focusing the editor later would close whatever was opened meanwhile.
   * The second time it does not wait.
   */
  async close(): Promise<void> {
    const again = this.closing;
    this.closing = true;
    if (!again) await this.preview.restore().catch(() => undefined);
    this.pick.hide();
  }

  /** Closes the picker without restoring the editors. */
  leave(then: () => unknown): void {
    this.chosen = true;
    this.pick.hide();
    void this.preview.end().then(then);
  }

  dispose(): void {
    this.preview.dispose();
    this.pick.dispose();
  }

  private async hidden(): Promise<void> {
    if (HitPicker.current === this) {
      HitPicker.current = undefined;
      void commands.executeCommand('setContext', PICKING, false);
    }
    if (!this.chosen) await this.preview.restore();
    this.dispose();
  }
}
