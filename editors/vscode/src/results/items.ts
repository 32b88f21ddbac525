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
  type Line,
  lineOf,
  type Mark,
  markedTitle,
  titleOf,
} from '../search/present';
import type { BranchNode, HitNode, Node } from './nodes';

export const OPEN = 'sightline.results.open';

const GAP = '  ';

function labelled({ text, marks }: Line): TreeItemLabel {
  return { label: text, highlights: marks };
}

/** The name, and in a file's branch the best line too, with the matched words marked; a place without a name is its line. */
function labelOf(hit: Hit, inFile: boolean): TreeItemLabel {
  const { text, marks } = markedTitle(hit);
  const line = inFile || !hit.symbol?.name ? bestLine(hit) : undefined;
  if (!line) return labelled({ text, marks });
  if (!hit.symbol?.name) return labelled(line);
  const offset = text.length + GAP.length;
  const moved = line.marks.map(([start, end]): Mark => [start + offset, end + offset]);
  return { label: `${text}${GAP}${line.text}`, highlights: [...marks, ...moved] };
}

function tooltipOf(hit: Hit): MarkdownString {
  const text = new MarkdownString();
  text.appendMarkdown('**').appendText(titleOf(hit)).appendMarkdown('**');
  return text.appendCodeblock(hit.snippet.text, hit.language);
}

function hitItem({ id, hit, parent }: HitNode): TreeItem {
  const inFile = parent?.kind === 'file';
  const item = new TreeItem(labelOf(hit, inFile));
  item.id = id;
  item.description = inFile ? lineOf(hit) : descriptionOf(hit);
  item.tooltip = tooltipOf(hit);
  item.iconPath = new ThemeIcon(iconOf(hit));
  item.contextValue = hit.reason ? 'related' : 'result';
  item.accessibilityInformation = { label: `${titleOf(hit)}, ${descriptionOf(hit)}` };
  item.command = { command: OPEN, title: 'Open', arguments: [{ hit }] };
  return item;
}

function branchItem({ kind, name, children }: BranchNode): TreeItem {
  const { Collapsed, Expanded } = TreeItemCollapsibleState;
  const item = new TreeItem(name, name === WEAK ? Collapsed : Expanded);
  item.id = `${kind} ${name}`;
  item.description = String(children.length);
  item.contextValue = kind === 'file' && children[0]?.hit.reason ? 'relatedFile' : kind;
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
  return node.kind === 'hit' ? hitItem(node) : branchItem(node);
}
