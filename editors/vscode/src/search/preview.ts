import {
  type Disposable,
  Range,
  Selection,
  TabInputText,
  type TextEditor,
  TextEditorRevealType,
  ThemeColor,
  Uri,
  ViewColumn,
  window,
} from 'vscode';
import type { Hit } from '../protocol';

const SETTLE_MS = 120;

/** The hit's lines; its range ends at the start of the line after, which would be highlighted too. */
function rangeOf(hit: Hit): Range {
  const { start, end } = hit.range;
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return new Range(start.line, start.character, last, end.character);
}

/** Opens a hit for good, with the cursor at its start. */
export async function open(hit: Hit, beside = false): Promise<void> {
  const { start } = rangeOf(hit);
  const editor = await window.showTextDocument(Uri.parse(hit.uri), {
    preview: false,
    viewColumn: beside ? ViewColumn.Beside : ViewColumn.Active,
    selection: new Range(start, start),
  });
  editor.revealRange(rangeOf(hit), TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Shows the focused hit behind the picker, and puts everything back when the picker is left without a choice. */
export class Preview implements Disposable {
  private readonly origin = window.activeTextEditor;
  private readonly selection = this.origin?.selection;
  private readonly view = this.origin?.visibleRanges[0];
  private readonly highlight = window.createTextEditorDecorationType({
    backgroundColor: new ThemeColor('editor.rangeHighlightBackground'),
    isWholeLine: true,
  });
  private timer: NodeJS.Timeout | undefined;
  private revealing: Promise<void> = Promise.resolve();
  private wanted: Hit | undefined;
  private shown: TextEditor | undefined;
  private closed = false;

  /** Waits until the focus rests, so that holding an arrow key opens one file and not thirty. */
  show(hit: Hit): void {
    this.wanted = hit;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      // One after the other: two files opened at once could end up in front in either order.
      this.revealing = this.revealing.then(() => this.reveal(hit)).catch(() => undefined);
    }, SETTLE_MS);
  }

  async restore(): Promise<void> {
    await this.end();
    if (!this.shown) return;
    if (!this.origin || !this.selection) {
      await closePreviewOf(this.shown);
      return;
    }
    const { document, viewColumn = ViewColumn.Active } = this.origin;
    const editor = await window.showTextDocument(document, { viewColumn, selection: this.selection });
    editor.selection = new Selection(this.selection.anchor, this.selection.active);
    if (this.view) editor.revealRange(this.view, TextEditorRevealType.AtTop);
  }

  /** No more previews; resolves when the last one is open, so that it cannot cover what is opened next. */
  async end(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.revealing;
    this.shown?.setDecorations(this.highlight, []);
  }

  dispose(): void {
    void this.end();
    this.highlight.dispose();
  }

  /** A file that is gone since it was indexed has no preview; choosing it says so. */
  private async reveal(hit: Hit): Promise<void> {
    if (this.closed || this.wanted !== hit) return;
    const range = rangeOf(hit);
    const options = { preview: true, preserveFocus: true, selection: new Range(range.start, range.start) };
    const editor = await window.showTextDocument(Uri.parse(hit.uri), options);
    this.shown?.setDecorations(this.highlight, []);
    this.shown = editor;
    if (this.closed) return;
    editor.setDecorations(this.highlight, [range]);
    // In the middle, because the picker covers the upper half.
    editor.revealRange(new Range(range.start, range.start), TextEditorRevealType.InCenter);
  }
}

async function closePreviewOf(editor: TextEditor): Promise<void> {
  const uri = editor.document.uri.toString();
  const tab = window.tabGroups.activeTabGroup.activeTab;
  if (tab?.isPreview && tab.input instanceof TabInputText && tab.input.uri.toString() === uri) {
    await window.tabGroups.close(tab);
  }
}
