import { type Disposable, StatusBarAlignment, ThemeColor, window } from 'vscode';
import { PRODUCT } from '../names';
import type { IndexStatus } from '../protocol';
import { problemOf, type ServerState, type Supervisor } from '../server/supervisor';
import { overallState, progressOf, statusLines } from './text';

interface Appearance {
  text: string;
  /** Plain text: Markdown would put `&nbsp;` into what screen readers read. */
  tooltip: string;
  command: string;
  warn?: boolean;
}

function serverAppearance(state: ServerState): Appearance {
  const problem = problemOf(state);
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

function indexAppearance(status: IndexStatus): Appearance {
  const appearance = { tooltip: statusLines(status).join('\n'), command: 'sightline.showStatus' };
  const { percent } = progressOf(status) ?? {};
  switch (overallState(status)) {
    case 'failed':
      return { ...appearance, text: `$(error) ${PRODUCT}`, warn: true };
    case 'degraded':
      return { ...appearance, text: `$(warning) ${PRODUCT}` };
    case 'ready':
      return { ...appearance, text: `$(search) ${PRODUCT}` };
    default:
      return {
        ...appearance,
        text: `$(sync~spin) ${PRODUCT}${percent === undefined ? '' : ` ${percent} %`}`,
      };
  }
}

/** The status-bar item: the server's state, and the index's once it is known. */
export function createStatusBar(supervisor: Supervisor): Disposable {
  const item = window.createStatusBarItem('sightline.status', StatusBarAlignment.Right, 100);
  item.name = PRODUCT;
  const draw = () => {
    const { state, status } = supervisor;
    const appearance = state.kind === 'running' && status ? indexAppearance(status) : serverAppearance(state);
    item.text = appearance.text;
    item.tooltip = appearance.tooltip;
    item.accessibilityInformation = { label: `Sightline, ${appearance.tooltip.replaceAll('\n', ', ')}` };
    item.command = appearance.command;
    item.backgroundColor = appearance.warn ? new ThemeColor('statusBarItem.warningBackground') : undefined;
  };
  draw();
  item.show();
  const listeners = [supervisor.onDidChangeState(draw), supervisor.onDidChangeStatus(draw)];
  return { dispose: () => [item, ...listeners].forEach((part) => void part.dispose()) };
}
