// A stub of the editor for modules that are tested without one.
export const workspace = {
  get workspaceFolders() {
    return globalThis.editor.folders;
  },
  getConfiguration: () => ({ get: (key) => globalThis.editor.settings[key] }),
};
export const extensions = { getExtension: () => globalThis.editor.pythonExtension };
export class CancellationTokenSource {
  token = {};
  cancel() {}
  dispose() {}
}
