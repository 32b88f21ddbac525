import { type Disposable, StatusBarAlignment, ThemeColor, window } from 'vscode';
import { PRODUCT } from '../names';
import type { IndexStatus } from '../protocol';
import { obstacle, type ServerState, type Supervisor } from '../server/supervisor';
import { overallState, progressOf, statusLines } from './text';

interface Face {
  text: string;
  /** Plain text: Markdown would put `&nbsp;` into what screen readers read. */
  tooltip: string;
  command: string;
  warn?: boolean;
}

function serverFace(state: ServerState): Face {
  const problem = obstacle(state);
  if (state.kind === 'stopped') {
    return {
      text: `$(circle-slash) ${PRODUCT}`,
      tooltip: `${PRODUCT} is not running`,
      command: 'sightline.restart',
    };
  }
  if (problem)
    return { text: `$(warning) ${PRODUCT}`, tooltip: problem, command: 'sightline.repair', warn: true };
  const tooltip = state.kind === 'waiting' ? `Restarting in ${state.seconds} s` : 'Starting';
  return { text: `$(sync~spin) ${PRODUCT}`, tooltip, command: 'sightline.showLogs' };
}

function indexFace(status: IndexStatus): Face {
  const face = { tooltip: statusLines(status).join('\n'), command: 'sightline.showStatus' };
  const { percent } = progressOf(status) ?? {};
  switch (overallState(status)) {
    case 'failed':
      return { ...face, text: `$(error) ${PRODUCT}`, warn: true };
    case 'degraded':
      return { ...face, text: `$(warning) ${PRODUCT}` };
    case 'ready':
      return { ...face, text: `$(search) ${PRODUCT}` };
    default:
      return { ...face, text: `$(sync~spin) ${PRODUCT}${percent === undefined ? '' : ` ${percent} %`}` };
  }
}

/** The status-bar item: the server's state, and the index's once it is known. */
export function createStatusBar(supervisor: Supervisor): Disposable {
  const item = window.createStatusBarItem('sightline.status', StatusBarAlignment.Right, 100);
  item.name = PRODUCT;
  const draw = () => {
    const { state, status } = supervisor;
    const face = state.kind === 'running' && status ? indexFace(status) : serverFace(state);
    item.text = face.text;
    item.tooltip = face.tooltip;
    item.accessibilityInformation = { label: `Sightline, ${face.tooltip.replaceAll('\n', ', ')}` };
    item.command = face.command;
    item.backgroundColor = face.warn ? new ThemeColor('statusBarItem.warningBackground') : undefined;
  };
  draw();
  item.show();
  const listeners = [supervisor.onDidChangeState(draw), supervisor.onDidChangeStatus(draw)];
  return { dispose: () => [item, ...listeners].forEach((part) => void part.dispose()) };
}
