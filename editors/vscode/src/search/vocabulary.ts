import { workspace } from 'vscode';
import type { IndexStatus } from '../protocol';
import { byUse, topFolders, type Vocabulary } from './hints';
import served from './vocabulary.json';

function usedLanguages(status: IndexStatus | undefined): Record<string, number> {
  const used: Record<string, number> = {};
  for (const folder of status?.folders ?? []) {
    for (const [name, files] of Object.entries(folder.languages)) used[name] = (used[name] ?? 0) + files;
  }
  return used;
}

/** The languages and kinds that the server supports, and the top-level folders of the workspace. */
export async function workspaceVocabulary(status: IndexStatus | undefined): Promise<Vocabulary> {
  const roots = workspace.workspaceFolders ?? [];
  const listings = await Promise.allSettled(roots.map((root) => workspace.fs.readDirectory(root.uri)));
  const languages = byUse(served.languages, usedLanguages(status));
  return { ...served, languages, paths: topFolders(listings) };
}
