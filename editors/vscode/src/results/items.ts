import {
  MarkdownString,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeItemLabel,
  Uri,
} from 'vscode';
import type { Hit } from '../protocol';
import { WEAK } from '../search/groups';
import {
  bestLine,
  descriptionOf,
  iconOf,
  landingOf,
  type Mark,
  markedTitle,
  titleOf,
} from '../search/present';
import type { BranchNode, Node } from './nodes';

export const OPEN = 'sightline.results.open';

const GAP = '  ';

/** The name, and in a file's branch the best line too, with the matched words marked. */
function labelOf(hit: Hit, inFile: boolean): TreeItemLabel {
  const { text, marks } = markedTitle(hit);
  const line = inFile ? bestLine(hit) : undefined;
  if (!line) return { label: text, highlights: marks };
  const offset = text.length + GAP.length;
  const moved = line.marks.map(([start, end]): Mark => [start + offset, end + offset]);
  return { label: `${text}${GAP}${line.text}`, highlights: [...marks, ...moved] };
}

function tooltipOf(hit: Hit): MarkdownString {
  const text = new MarkdownString();
  text.appendMarkdown('**').appendText(titleOf(hit)).appendMarkdown('**');
  return text.appendCodeblock(hit.snippet.text, hit.language);
}

function hitItem(hit: Hit, inFile: boolean): TreeItem {
  const item = new TreeItem(labelOf(hit, inFile));
  const line = landingOf(hit).start.line + 1;
  item.id = `${hit.uri}#${hit.range.start.line}-${hit.range.end.line}`;
  item.description = inFile ? `:${line}` : descriptionOf(hit);
  item.tooltip = tooltipOf(hit);
  item.iconPath = new ThemeIcon(iconOf(hit));
  item.contextValue = hit.reason ? 'related' : 'result';
  item.accessibilityInformation = { label: `${titleOf(hit)}, ${descriptionOf(hit)}` };
  item.command = { command: OPEN, title: 'Open', arguments: [{ kind: 'hit', hit }] };
  return item;
}

function branchItem({ kind, name, children }: BranchNode): TreeItem {
  const { Collapsed, Expanded } = TreeItemCollapsibleState;
  const item = new TreeItem(name, name === WEAK ? Collapsed : Expanded);
  item.id = `${kind} ${name}`;
  item.description = String(children.length);
  item.contextValue = kind;
  const [first] = children;
  if (kind === 'file' && first) {
    item.resourceUri = Uri.parse(first.hit.uri);
    item.label = name.slice(name.lastIndexOf('/') + 1);
    item.description = name.slice(0, Math.max(name.lastIndexOf('/'), 0));
    item.iconPath = ThemeIcon.File;
  }
  return item;
}

/** A node as the tree shows it. */
export function itemOf(node: Node): TreeItem {
  return node.kind === 'hit' ? hitItem(node.hit, node.parent?.kind === 'file') : branchItem(node);
}
