const { Uri } = require('vscode');

exports.activate = () => ({
  environments: {
    getActiveEnvironmentPath: () => ({ path: process.env.SIGHTLINE_PYTHON }),
    resolveEnvironment: async ({ path }) => ({ executable: { uri: Uri.file(path) } }),
    onDidChangeActiveEnvironmentPath: () => ({ dispose() {} }),
  },
});
