import { TabInputNotebook, TabInputText, window } from 'vscode';

/** The address of the file in front, which `in:here` is about; undefined when no file is in front. */
export function currentFile(): string | undefined {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = input instanceof TabInputText || input instanceof TabInputNotebook ? input.uri : undefined;
  return uri?.scheme === 'file' ? uri.toString() : undefined;
}
