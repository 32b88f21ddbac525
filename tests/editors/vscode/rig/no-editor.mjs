// As much of the editor as modules need that are tested without one.
export const workspace = {
  get workspaceFolders() {
    return globalThis.editor.folders;
  },
  getConfiguration: () => ({ get: (key) => globalThis.editor.settings[key] }),
};
export const extensions = { getExtension: () => undefined };
