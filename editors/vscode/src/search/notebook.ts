interface Cell {
  /** One text, or its lines with their ends. */
  source?: string | string[];
}

/** The source of one cell of a notebook's file; the whole text where it cannot be read as a notebook. */
export function cellText(text: string, cell: number): string {
  try {
    const { cells } = JSON.parse(text) as { cells: Cell[] };
    const source = cells[cell]?.source ?? '';
    return typeof source === 'string' ? source : source.join('');
  } catch {
    return text;
  }
}
