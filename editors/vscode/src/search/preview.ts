import {
  type Disposable,
  EventEmitter,
  languages,
  Range,
  Selection,
  type Tab,
  TabInputText,
  type TextDocumentContentProvider,
  type TextEditor,
  TextEditorRevealType,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import type { Hit } from '../protocol';
import { createMarking, type Marking, rangeOf, selectionOf, wordsOf } from './marking';
import { cellText } from './notebook';

const SETTLE_MS = 120;
const SCHEME = 'sightline-preview';

/** The text of a file as it is now, unsaved changes included. */
async function textOf(file: Uri): Promise<string> {
  const document = workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
  return document?.getText() ?? new TextDecoder().decode(await workspace.fs.readFile(file));
}

/**
 * Files as read-only copies under a separate URI scheme.
 * A preview of the file itself would unfold its folders in the explorer and start the servers of its language.
 */
class Copies implements TextDocumentContentProvider {
  private readonly changed = new EventEmitter<Uri>();
  readonly onDidChange = this.changed.event;

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const text = await textOf(uri.with({ scheme: 'file', fragment: '' }));
    return uri.fragment ? cellText(text, Number(uri.fragment)) : text;
  }

  /** The URI of the copy of a hit's file, or of its cell; the copy is read again. */
  of(hit: Hit): Uri {
    const uri = Uri.parse(hit.uri).with({ scheme: SCHEME, fragment: hit.cell?.toString() ?? '' });
    this.changed.fire(uri);
    return uri;
  }
}

const copies = new Copies();

function isCopy({ input }: Tab): boolean {
  return input instanceof TabInputText && input.uri.scheme === SCHEME;
}

async function closeCopies(): Promise<void> {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs).filter(isCopy);
  if (tabs.length > 0) await window.tabGroups.close(tabs, true);
}

/** Registers previews, and closes those that were open when the window was closed. */
export function registerPreviews(): Disposable {
  void closeCopies();
  return workspace.registerTextDocumentContentProvider(SCHEME, copies);
}

/** The tab in italics that opening another preview would replace. */
function ownPreview(): Uri | undefined {
  const tab = window.tabGroups.activeTabGroup.tabs.find((each) => each.isPreview);
  return tab?.input instanceof TabInputText ? tab.input.uri : undefined;
}

function isOpen(file: Uri): boolean {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => input instanceof TabInputText && input.uri.toString() === file.toString());
}

/** The line to centre, so that a place is a little lower: the picker covers the upper half. */
function belowPicker(editor: TextEditor, { start }: Range): Range {
  const [visible] = editor.visibleRanges;
  const height = visible ? visible.end.line - visible.start.line : 0;
  const line = Math.max(start.line - Math.round(height / 8), 0);
  return new Range(line, 0, line, 0);
}

/** Shows the focused hit behind the picker, and restores the editors if the picker is closed without a choice. */
export class Preview implements Disposable {
  private readonly origin = window.activeTextEditor;
  private readonly selection = this.origin?.selection;
  private readonly view = this.origin?.visibleRanges[0];
  private readonly replaced = ownPreview();
  private readonly marking: Marking = createMarking();
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private wanted: Hit | undefined;
  private shown = false;
  private closed = false;

  /** Waits until the focus stays on a hit, so that holding an arrow key opens one file and not thirty. */
  show(hit: Hit): void {
    this.wanted = hit;
    this.later(() => this.reveal(hit));
  }

  /** Closes the preview: no hit has the focus any more. */
  clear(): void {
    this.wanted = undefined;
    this.later(() => this.putBack());
  }

  /** Restores the editors as they were before the picker; the focus may be in something newer, and stays there. */
  async restore(): Promise<void> {
    await this.settled();
    await this.putBack();
    if (!this.shown || !this.origin || !this.selection) return;
    this.shown = false;
    const { document, viewColumn = ViewColumn.Active } = this.origin;
    const options = { viewColumn, selection: this.selection, preserveFocus: true };
    const editor = await window.showTextDocument(document, options);
    editor.selection = new Selection(this.selection.anchor, this.selection.active);
    if (this.view) editor.revealRange(this.view, TextEditorRevealType.AtTop);
  }

  /** No more previews; resolves when the last one is gone, so that it cannot cover what is opened next. */
  async end(): Promise<void> {
    await this.settled();
    await closeCopies();
  }

  dispose(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.marking.dispose();
  }

  /** One after the other: of two files opened at the same time, either could become the active one. */
  private later(work: () => Promise<void>): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.closed) this.working = this.working.then(work).catch(() => undefined);
    }, SETTLE_MS);
  }

  private async settled(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.working;
  }

  private async putBack(): Promise<void> {
    if (this.wanted && !this.closed) return;
    await closeCopies();
    const { replaced } = this;
    if (!replaced || isOpen(replaced)) return;
    await window.showTextDocument(replaced, { preview: true, preserveFocus: true });
  }

  /** A file that was deleted since it was indexed has no preview; choosing it shows a message. */
  private async reveal(hit: Hit): Promise<void> {
    if (this.closed || this.wanted !== hit) return;
    this.shown = true;
    const options = { preview: true, preserveFocus: true, selection: selectionOf(hit) };
    const editor = await window.showTextDocument(copies.of(hit), options);
    if (hit.cell === undefined) this.mark(editor, hit);
    else
      await languages.setTextDocumentLanguage(editor.document, hit.language).then(undefined, () => undefined);
  }

  private mark(editor: TextEditor, hit: Hit): void {
    this.marking.mark(editor, rangeOf(hit), wordsOf(hit));
    editor.revealRange(belowPicker(editor, selectionOf(hit)), TextEditorRevealType.InCenter);
  }
}
