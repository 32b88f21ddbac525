import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExtensionContext, window, workspace } from 'vscode';
import { registerCommands } from './commands';
import { registerLanguageModelTools } from './languageModelTools';
import { registerMcpServer } from './mcp';
import { PRODUCT } from './names';
import { searchFor } from './results/source';
import { ResultsView } from './results/view';
import { registerPreviews } from './search/preview';
import { ManagedEnvironment } from './server/managed';
import { onDidSelectInterpreter } from './server/python';
import { Remedies } from './server/remedy';
import { Supervisor } from './server/supervisor';
import { createStatusBar } from './status/bar';
import { StatusPage } from './status/page';

let running: Supervisor | undefined;

/** Restarts the server if another one may be found, and starts it with the first folder. */
function watchEnvironment(context: ExtensionContext, supervisor: Supervisor): void {
  context.subscriptions.push(
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('sightline.server')) void supervisor.restart();
    }),
    workspace.onDidChangeWorkspaceFolders(() => void supervisor.start()),
  );
  const selected = onDidSelectInterpreter(() => {
    if (supervisor.command?.origin !== 'setting') void supervisor.restart();
  });
  // Not awaited: the Python extension may take its time, and the setting may make it irrelevant.
  void selected.then((listener) => listener && context.subscriptions.push(listener));
}

export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel(PRODUCT, { log: true });
  const cwd = context.globalStorageUri.fsPath;
  await mkdir(cwd, { recursive: true });
  const managed = new ManagedEnvironment(cwd, join(context.extensionPath, 'bundled'));
  const supervisor = new Supervisor({ extension: context.extension, log, managed, cwd });
  const remedies = new Remedies(supervisor, managed, log);
  const page = new StatusPage(supervisor);
  const results = new ResultsView(supervisor, context.workspaceState);
  running = supervisor;
  context.subscriptions.push(
    log,
    supervisor,
    page,
    results,
    registerPreviews(),
    createStatusBar(supervisor),
    supervisor.onDidChangeState((state) => void remedies.onState(state)),
    ...registerCommands({ context, supervisor, remedies, page, results, log }),
    ...registerLanguageModelTools(context.extension, supervisor),
    ...registerMcpServer(context.extension, supervisor, log, cwd),
  );
  watchEnvironment(context, supervisor);
  // At the start, not after an installation: a window with the previous version may still use the old one.
  void managed.removeOld().then((count) => count && log.info(`Removed ${count} old environments`));
  const { kept } = results;
  if (kept) results.restore(searchFor(supervisor, kept.query, kept.current));
  if (workspace.workspaceFolders?.length) void supervisor.start();
}

export function deactivate(): Promise<void> | undefined {
  return running?.stop();
}
