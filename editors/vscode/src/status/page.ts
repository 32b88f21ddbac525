import { type Disposable, ViewColumn, type WebviewPanel, window } from 'vscode';
import { PRODUCT } from '../names';
import { problemOf, type Supervisor } from '../server/supervisor';
import { PAGE_COMMANDS, statusHtml } from './html';

/** The status page: one panel, redrawn while the index changes. */
export class StatusPage implements Disposable {
  private panel: WebviewPanel | undefined;
  private readonly listeners: Disposable[];

  constructor(private readonly supervisor: Supervisor) {
    const draw = () => this.draw();
    this.listeners = [supervisor.onDidChangeState(draw), supervisor.onDidChangeStatus(draw)];
  }

  async show(): Promise<void> {
    this.panel ??= this.create();
    this.panel.reveal();
    this.draw();
    if (this.supervisor.state.kind === 'running') await this.supervisor.refreshStatus();
  }

  dispose(): void {
    this.panel?.dispose();
    for (const listener of this.listeners) listener.dispose();
  }

  private create(): WebviewPanel {
    const options = { enableCommandUris: PAGE_COMMANDS, enableScripts: false };
    const panel = window.createWebviewPanel(
      'sightline.status',
      `${PRODUCT} Status`,
      ViewColumn.Active,
      options,
    );
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    return panel;
  }

  private draw(): void {
    if (!this.panel) return;
    const { state, status } = this.supervisor;
    this.panel.webview.html = statusHtml(status, problemOf(state) ?? 'The server is starting.');
  }
}
