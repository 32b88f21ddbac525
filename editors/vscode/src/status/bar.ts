import { type Disposable, MarkdownString, StatusBarAlignment, ThemeColor, window } from 'vscode';
import type { IndexStatus } from '../protocol';
import { percent } from '../search/present';
import { obstacle, type ServerState, type Supervisor } from '../server/supervisor';
import { overallFiles, overallState, parseHealth } from './text';

interface Face {
  text: string;
  tooltip: string | MarkdownString;
  command: string;
  warn?: boolean;
}

function serverFace(state: ServerState): Face {
  const problem = obstacle(state);
  if (state.kind === 'stopped') {
    return {
      text: '$(circle-slash) Sightline',
      tooltip: 'Sightline is not running',
      command: 'sightline.restart',
    };
  }
  if (problem)
    return { text: '$(warning) Sightline', tooltip: problem, command: 'sightline.repair', warn: true };
  const tooltip = state.kind === 'waiting' ? `Restarting in ${state.seconds} s` : 'Starting';
  return { text: '$(sync~spin) Sightline', tooltip, command: 'sightline.showLogs' };
}

function tooltip(status: IndexStatus): MarkdownString {
  const text = new MarkdownString();
  for (const folder of status.folders) {
    text.appendText(
      `${decodeURIComponent(folder.uri.slice(folder.uri.lastIndexOf('/') + 1))}: ${folder.state}, `,
    );
    text.appendText(`${folder.filesIndexed} of ${folder.filesTotal} files (${parseHealth(folder.parse)})`);
    text.appendMarkdown('\n\n');
    if (folder.lastError) text.appendText(folder.lastError).appendMarkdown('\n\n');
  }
  return text;
}

/** Nothing before the files are counted, nor while they are only looked through. */
function progress(status: IndexStatus): string {
  const [done, total] = overallFiles(status);
  return done < total ? ` ${percent(done, total)} %` : '';
}

function indexFace(status: IndexStatus): Face {
  const face = { tooltip: tooltip(status), command: 'sightline.showStatus' };
  switch (overallState(status)) {
    case 'failed':
      return { ...face, text: '$(error) Sightline', warn: true };
    case 'degraded':
      return { ...face, text: '$(warning) Sightline' };
    case 'ready':
      return { ...face, text: '$(search) Sightline' };
    default:
      return { ...face, text: `$(sync~spin) Sightline${progress(status)}` };
  }
}

/** The status-bar item: the server's state, and the index's once it is known. */
export function createStatusBar(supervisor: Supervisor): Disposable {
  const item = window.createStatusBarItem('sightline.status', StatusBarAlignment.Right, 100);
  item.name = 'Sightline';
  const draw = () => {
    const { state, status } = supervisor;
    const face = state.kind === 'running' && status ? indexFace(status) : serverFace(state);
    item.text = face.text;
    item.tooltip = face.tooltip;
    item.command = face.command;
    item.backgroundColor = face.warn ? new ThemeColor('statusBarItem.warningBackground') : undefined;
  };
  draw();
  item.show();
  const listeners = [supervisor.onDidChangeState(draw), supervisor.onDidChangeStatus(draw)];
  return { dispose: () => [item, ...listeners].forEach((part) => void part.dispose()) };
}
