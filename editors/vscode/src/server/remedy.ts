import { commands, env, type LogOutputChannel, ProgressLocation, Uri, window } from 'vscode';
import { PRODUCT } from '../names';
import type { ManagedEnvironment } from './managed';
import { problemOf, type ServerState, type Supervisor } from './supervisor';

const SETTING = 'sightline.server.command';
const PYTHON_DOWNLOADS = 'https://www.python.org/downloads/';
const CONSENT =
  'Install it into a separate environment? Its Python dependencies are downloaded from your package index: about 120 MB, 520 MB on disk.';

type Remedy = [label: string, apply: () => unknown];

/** Offers a button that fixes the problem that keeps the server from running. */
export class Remedies {
  constructor(
    private readonly supervisor: Supervisor,
    private readonly managed: ManagedEnvironment,
    private readonly log: LogOutputChannel,
  ) {}

  /** Reacts to a state: updates without a question if the user agreed before, else asks. */
  async onState(state: ServerState): Promise<void> {
    // The status bar shows it; there is no action to offer.
    if (state.kind === 'missing' && state.what === 'folder') return;
    if (state.kind === 'missing' && state.what === 'outdated') await this.install(state.python);
    else if (state.kind === 'missing' || state.kind === 'failed') await this.offer(state);
  }

  async offer(state: ServerState): Promise<void> {
    const remedies = this.remediesFor(state);
    const question = state.kind === 'missing' && state.what === 'package' ? ` ${CONSENT}` : '';
    const labels = remedies.map(([label]) => label);
    const problem = problemOf(state) ?? `The ${PRODUCT} server answered with an error.`;
    const chosen = await window.showWarningMessage(`${problem}${question}`, ...labels);
    await remedies.find(([label]) => label === chosen)?.[1]();
  }

  private remediesFor(state: ServerState): Remedy[] {
    const configure: Remedy = [
      'Set Command…',
      () => commands.executeCommand('workbench.action.openSettings', SETTING),
    ];
    if (state.kind === 'missing' && state.what === 'folder') return [];
    if (state.kind === 'missing' && state.what === 'python') {
      return [
        ['Get Python', () => env.openExternal(Uri.parse(PYTHON_DOWNLOADS))],
        ['Try Again', () => this.supervisor.restart()],
        configure,
      ];
    }
    if (state.kind === 'missing') return [['Install', () => this.install(state.python)], configure];
    return [['Restart', () => this.supervisor.restart()], ['Show Logs', () => this.log.show()], configure];
  }

  private async install(python: string[] | undefined): Promise<void> {
    if (!python) return;
    const options = {
      location: ProgressLocation.Notification,
      title: `${PRODUCT}: installing the server`,
      cancellable: true,
    };
    await window.withProgress(options, async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      const log = (line: string) => this.log.info(line);
      const report = (message: string, increment: number) => progress.report({ message, increment });
      await this.managed
        .install(python, { log, report, signal: abort.signal })
        .catch((error) => this.failed(python, error));
    });
    if (await this.managed.python()) await this.supervisor.restart();
  }

  private async failed(python: string[], error: Error): Promise<void> {
    this.log.error(error);
    const message = `${PRODUCT} could not install its server: ${error.message}`;
    // Not awaited: the progress must end while the message stays.
    void window.showErrorMessage(message, 'Try Again', 'Show Logs').then((chosen) => {
      if (chosen === 'Try Again') return this.install(python);
      if (chosen === 'Show Logs') this.log.show();
      return undefined;
    });
  }
}
