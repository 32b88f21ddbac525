const CONTROL = process.platform === 'darwin' ? '⌘' : 'Ctrl+';

/** The displayed names of the picker's keys; package.json binds them. */
export const KEYS = {
  beside: `${CONTROL}Enter`,
  related: 'Alt+Enter',
  keep: `${CONTROL}Shift+Enter`,
} as const;

/** The keys in one line; in a narrow window VS Code breaks it at a space. */
export const KEY_LINE = `${KEYS.beside} to the side · ${KEYS.related} related · ${KEYS.keep} keep`;
