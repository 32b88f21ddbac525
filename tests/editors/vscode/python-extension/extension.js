// @ts-check
// The one environment that the test names; the compiler compares it with the published types.
const { EventEmitter, Uri } = require('vscode');

/** @typedef {import('@vscode/python-extension').PythonExtension} PythonExtension */
/** @typedef {'getActiveEnvironmentPath' | 'resolveEnvironment' | 'onDidChangeActiveEnvironmentPath'} Used */

const path = process.env.SIGHTLINE_PYTHON ?? '';

/** @type {import('@vscode/python-extension').ResolvedEnvironment} */
const environment = {
  id: path,
  path,
  executable: { uri: Uri.file(path), bitness: '64-bit', sysPrefix: '' },
  environment: undefined,
  version: { major: 3, minor: 11, micro: 0, release: { level: 'final', serial: 0 }, sysVersion: '3.11.0' },
  tools: [],
};

/** @returns {Pick<PythonExtension, 'ready'> & { environments: Pick<PythonExtension['environments'], Used> }} */
exports.activate = () => ({
  ready: Promise.resolve(),
  environments: {
    getActiveEnvironmentPath: () => environment,
    resolveEnvironment: async () => environment,
    onDidChangeActiveEnvironmentPath: new EventEmitter().event,
  },
});
