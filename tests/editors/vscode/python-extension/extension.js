// @ts-check
// The environment that the test names, until its other one is selected; the compiler compares it with the published types.
const { commands, EventEmitter, Uri } = require('vscode');

/** @typedef {import('@vscode/python-extension').PythonExtension} PythonExtension */
/** @typedef {import('@vscode/python-extension').ResolvedEnvironment} ResolvedEnvironment */
/** @typedef {import('@vscode/python-extension').ActiveEnvironmentPathChangeEvent} Changed */
/** @typedef {'getActiveEnvironmentPath' | 'resolveEnvironment' | 'onDidChangeActiveEnvironmentPath'} Used */

/** @type {(path: string) => ResolvedEnvironment} */
const environment = (path) => ({
  id: path,
  path,
  executable: { uri: Uri.file(path), bitness: '64-bit', sysPrefix: '' },
  environment: undefined,
  version: { major: 3, minor: 11, micro: 0, release: { level: 'final', serial: 0 }, sysVersion: '3.11.0' },
  tools: [],
});

let active = environment(process.env.SIGHTLINE_PYTHON ?? '');
/** @type {import('vscode').EventEmitter<Changed>} */
const changed = new EventEmitter();

function selectOther() {
  active = environment(process.env.SIGHTLINE_OTHER_PYTHON ?? '');
  changed.fire({ id: active.id, path: active.path, resource: undefined });
}

/** @returns {Pick<PythonExtension, 'ready'> & { environments: Pick<PythonExtension['environments'], Used> }} */
exports.activate = () => {
  commands.registerCommand('python.selectOther', selectOther);
  return {
    ready: Promise.resolve(),
    environments: {
      getActiveEnvironmentPath: () => active,
      resolveEnvironment: async () => active,
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};
