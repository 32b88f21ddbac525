import { TabInputNotebook, TabInputText, window } from 'vscode';

/** The URI of the active file, to which `in:here` refers; undefined if there is none. */
export function currentFile(): string | undefined {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = input instanceof TabInputText || input instanceof TabInputNotebook ? input.uri : undefined;
  return uri?.scheme === 'file' ? uri.toString() : undefined;
}
