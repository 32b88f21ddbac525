const CONTROL = process.platform === 'darwin' ? '⌘' : 'Ctrl+';

/** The keys of the picker, as people read them; package.json binds them. */
export const KEYS = {
  beside: `${CONTROL}Enter`,
  related: 'Alt+Enter',
  keep: `${CONTROL}Shift+Enter`,
} as const;
