import { type ExtensionContext, env, version, window, workspace } from 'vscode';
import { GetIndexStatus } from './protocol';
import type { Supervisor } from './server/supervisor';
import { configuredCommand, explicitSettings } from './settings';

/** Opens a report to paste into a bug report: versions, settings and state, none of the user's code. */
export async function collectDebugInfo(context: ExtensionContext, supervisor: Supervisor): Promise<void> {
  const { state, command } = supervisor;
  const running = state.kind === 'running';
  const report = {
    extension: context.extension.packageJSON.version,
    editor: `${env.appName} ${version}`,
    remote: env.remoteName ?? null,
    platform: `${process.platform} ${process.arch}, Node ${process.versions.node}`,
    server: { state: state.kind, command, configured: configuredCommand() },
    initialize: running ? state.client.initializeResult?.serverInfo : null,
    folders: workspace.workspaceFolders?.length ?? 0,
    settings: explicitSettings(context.extension),
    status: running ? await supervisor.request(GetIndexStatus, {}) : null,
  };
  const content = JSON.stringify(report, null, 2);
  await window.showTextDocument(await workspace.openTextDocument({ language: 'json', content }));
}
