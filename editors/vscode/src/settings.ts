import { type ConfigurationScope, type Extension, type WorkspaceConfiguration, workspace } from 'vscode';

/** The extension's own settings, which the server does not have. */
const OWN = 'sightline.server.';

interface Section {
  properties: Record<string, { scope: string }>;
}

interface Setting {
  /** The name that package.json declares. */
  key: string;
  /** Whether a workspace cannot set it. */
  userOnly: boolean;
}

function serverSettings(extension: Extension<unknown>): Setting[] {
  const sections: Section[] = extension.packageJSON.contributes.configuration;
  return sections
    .flatMap(({ properties }) => Object.entries(properties))
    .filter(([key]) => !key.startsWith(OWN))
    .map(([key, { scope }]) => ({ key, userOnly: scope === 'machine' }));
}

/** A setting's name as the server and `.sightline.toml` spell it. */
function serverKey(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
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

/** The value that was set for a name; undefined where only the default applies. */
function setValue(configuration: WorkspaceConfiguration, key: string, userOnly: boolean): unknown {
  const found = configuration.inspect(key);
  // VS Code enforces the scope of declared names only.
  if (userOnly) return found?.globalValue;
  const set = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue];
  return set.some((value) => value !== undefined) ? configuration.get(key) : undefined;
}

/**
 * The server settings that the user has set, as a tree, in either spelling.
 * Defaults are left out: sent along, they would override the project's own .sightline.toml.
 */
export function explicitSettings(
  extension: Extension<unknown>,
  scope?: ConfigurationScope,
): Record<string, unknown> {
  const configuration = workspace.getConfiguration(undefined, scope ?? null);
  const tree: Record<string, unknown> = {};
  for (const { key, userOnly } of serverSettings(extension)) {
    const name = serverKey(key);
    const value = setValue(configuration, key, userOnly) ?? setValue(configuration, name, userOnly);
    if (value !== undefined) place(tree, name.split('.').slice(1), value);
  }
  return tree;
}

/** The command the user configured to start the server; empty when there is none. */
export function configuredCommand(): string[] {
  return workspace.getConfiguration('sightline').get<string[]>('server.command', []);
}
