import {
  type Disposable,
  type QuickInputButton,
  type QuickPick,
  type QuickPickItem,
  ThemeIcon,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Hit } from '../protocol';
import { excerptOf, iconOf, placeOf, titleOf } from './present';
import { open, Preview } from './preview';

/** A line of the picker: a hit, or something else to take. */
export interface PickItem extends QuickPickItem {
  hit?: Hit;
  take?: () => unknown;
}

const BESIDE: QuickInputButton = { iconPath: new ThemeIcon('split-horizontal'), tooltip: 'Open to the Side' };
const RELATED: QuickInputButton = { iconPath: new ThemeIcon('references'), tooltip: 'Find Related' };

function folderName(hit: Hit): string | undefined {
  const folders = workspace.workspaceFolders ?? [];
  return folders.length > 1 ? workspace.getWorkspaceFolder(Uri.parse(hit.uri))?.name : undefined;
}

/** A hit as a line; always shown, because the server has matched it already. */
export function hitItem(hit: Hit): PickItem {
  const place = placeOf(hit, folderName(hit));
  return {
    hit,
    label: titleOf(hit),
    description: hit.reason ? `${hit.reason} — ${place}` : place,
    detail: excerptOf(hit),
    iconPath: new ThemeIcon(iconOf(hit)),
    alwaysShow: true,
    buttons: [BESIDE, RELATED],
  };
}

function createPick(): QuickPick<PickItem> {
  const pick = window.createQuickPick<PickItem>();
  pick.matchOnDescription = false;
  pick.matchOnDetail = false;
  // Not in the published typings, but honoured since 2019: without it VS Code re-sorts the hits by label.
  (pick as QuickPick<PickItem> & { sortByLabel: boolean }).sortByLabel = false;
  return pick;
}

/** A quick-pick over hits: previews the focused one, opens the chosen one, and leaves no trace otherwise. */
export class HitPicker implements Disposable {
  readonly pick = createPick();
  private readonly preview = new Preview();
  private chosen = false;

  constructor(private readonly findRelated: (hit: Hit) => unknown) {
    this.pick.onDidChangeActive(([item]) => item?.hit && this.preview.show(item.hit));
    this.pick.onDidTriggerItemButton(({ item, button }) => this.press(item, button));
    this.pick.onDidHide(() => void this.hidden());
  }

  /** Opens a hit and closes the picker, or does what the line says and leaves the picker to it. */
  take(item: PickItem | undefined): void {
    if (item?.hit) this.leave(() => open(item.hit as Hit));
    else item?.take?.();
  }

  /** Closes the picker without going back to where the user came from. */
  leave(then: () => unknown): void {
    this.chosen = true;
    this.pick.hide();
    void this.preview.end().then(then);
  }

  dispose(): void {
    this.preview.dispose();
    this.pick.dispose();
  }

  private press(item: PickItem, button: QuickInputButton): void {
    const { hit } = item;
    if (hit) this.leave(() => (button === BESIDE ? open(hit, true) : this.findRelated(hit)));
  }

  private async hidden(): Promise<void> {
    if (!this.chosen) await this.preview.restore();
    this.dispose();
  }
}
