import { type ConfigurationScope, type Extension, workspace } from 'vscode';

/** The extension's own settings, which the server knows nothing of. */
const OWN = 'sightline.server.';

interface Section {
  properties: Record<string, unknown>;
}

function serverKeys(extension: Extension<unknown>): string[] {
  const sections: Section[] = extension.packageJSON.contributes.configuration;
  return sections.flatMap((section) => Object.keys(section.properties)).filter((key) => !key.startsWith(OWN));
}

function place(tree: Record<string, unknown>, path: string[], value: unknown): void {
  const [head, ...rest] = path;
  if (head === undefined) return;
  if (rest.length === 0) {
    tree[head] = value;
    return;
  }
  tree[head] ??= {};
  place(tree[head] as Record<string, unknown>, rest, value);
}

/**
 * The server settings that somebody has set, as a tree.
 * Defaults are left out: sent along, they would override the project's own .sightline.toml.
 */
export function explicitSettings(
  extension: Extension<unknown>,
  scope?: ConfigurationScope,
): Record<string, unknown> {
  const configuration = workspace.getConfiguration(undefined, scope ?? null);
  const tree: Record<string, unknown> = {};
  for (const key of serverKeys(extension)) {
    const found = configuration.inspect(key);
    const set = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue];
    if (set.some((value) => value !== undefined)) {
      place(tree, key.split('.').slice(1), configuration.get(key));
    }
  }
  return tree;
}

/** The command the user configured to start the server; empty when there is none. */
export function configuredCommand(): string[] {
  return workspace.getConfiguration('sightline').get<string[]>('server.command', []);
}
