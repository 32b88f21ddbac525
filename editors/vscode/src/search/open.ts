import {
  NotebookRange,
  type TextDocumentShowOptions,
  TextEditorRevealType,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import type { Hit } from '../protocol';
import { selectionOf } from './marking';

type Where = Pick<TextDocumentShowOptions, 'viewColumn' | 'preserveFocus' | 'preview'>;

/** Opens a notebook with a cell selected; fails where the editor has no notebooks of this type. */
async function showCell(uri: Uri, cell: number, where: Where): Promise<void> {
  const notebook = await workspace.openNotebookDocument(uri);
  const range = new NotebookRange(cell, cell + 1);
  const editor = await window.showNotebookDocument(notebook, { ...where, selections: [range] });
  editor.revealRange(range);
}

async function showText(uri: Uri, hit: Hit, where: Where): Promise<void> {
  const selection = selectionOf(hit);
  const editor = await window.showTextDocument(uri, { ...where, selection });
  editor.revealRange(selection, TextEditorRevealType.InCenterIfOutsideViewport);
}

async function show(hit: Hit, where: Where): Promise<void> {
  const uri = Uri.parse(hit.uri);
  const { cell } = hit;
  if (cell === undefined) await showText(uri, hit, where);
  else await showCell(uri, cell, where).catch(() => showText(uri, hit, where));
}

/** Opens a hit permanently, with the cursor at its landing position. */
export function open(hit: Hit, beside = false): Promise<void> {
  return show(hit, { preview: false, viewColumn: beside ? ViewColumn.Beside : ViewColumn.Active });
}

/** Shows a hit and leaves the focus where it is. */
export function showHit(hit: Hit): Promise<void> {
  return show(hit, { preview: true, preserveFocus: true });
}
