import { FileType, workspace } from 'vscode';
import type { Vocabulary } from './hints';
import served from './vocabulary.json';

/** The languages and kinds that the server knows, and the folders at the top of the workspace. */
export async function workspaceVocabulary(): Promise<Vocabulary> {
  const roots = workspace.workspaceFolders ?? [];
  const listings = await Promise.all(roots.map((root) => workspace.fs.readDirectory(root.uri)));
  const folders = listings
    .flat()
    .filter(([name, type]) => type === FileType.Directory && !name.startsWith('.'));
  const paths = [...new Set(folders.map(([name]) => `${name}/**`))].sort();
  return { ...served, paths };
}
