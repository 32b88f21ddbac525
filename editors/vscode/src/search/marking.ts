import { type Disposable, Range, type TextEditor, ThemeColor, window } from 'vscode';
import type { Hit, Range as WireRange } from '../protocol';
import { landingOf } from './present';

function toRange({ start, end }: WireRange): Range {
  return new Range(start.line, start.character, end.line, end.character);
}

/** The hit's lines; its range ends at the start of the next line, which would be marked too. */
export function rangeOf(hit: Hit): Range {
  const { start, end } = hit.range;
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return new Range(start.line, start.character, last, end.character);
}

/** Where the cursor goes: before the name or the words, with nothing selected that a key could replace. */
export function selectionOf(hit: Hit): Range {
  const { start } = toRange(landingOf(hit));
  return new Range(start, start);
}

/** The matched words, and the name the hit lands on. */
export function wordsOf(hit: Hit): Range[] {
  const { startLine, highlights = [] } = hit.snippet;
  const words = highlights.map(({ start, end }) =>
    toRange({
      start: { ...start, line: start.line + startLine },
      end: { ...end, line: end.line + startLine },
    }),
  );
  return hit.selectionRange ? [toRange(hit.selectionRange), ...words] : words;
}

export interface Marking extends Disposable {
  mark(editor: TextEditor, lines: Range, words: Range[]): void;
}

/** Marks a hit's lines and words, with colours that every theme has; contrast themes draw them as borders. */
export function createMarking(): Marking {
  const lines = window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new ThemeColor('editor.rangeHighlightBackground'),
    borderColor: new ThemeColor('focusBorder'),
    borderStyle: 'solid',
    borderWidth: '0 0 0 3px',
  });
  const words = window.createTextEditorDecorationType({
    backgroundColor: new ThemeColor('editor.findMatchHighlightBackground'),
    borderColor: new ThemeColor('editor.findMatchHighlightBorder'),
    borderStyle: 'solid',
    borderWidth: '1px',
  });
  return {
    mark: (editor, marked, found) => {
      editor.setDecorations(lines, [marked]);
      editor.setDecorations(words, found);
    },
    dispose: () => {
      lines.dispose();
      words.dispose();
    },
  };
}
