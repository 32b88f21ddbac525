import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { Supervisor } from './server/supervisor';

// What VS Code has had since 1.101; the types are those of the oldest version that the extension runs in.
interface Definition {
  cwd?: vscode.Uri;
}

interface Provider {
  onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(): Promise<Definition[]>;
}

interface McpApi {
  lm: { registerMcpServerDefinitionProvider?: (id: string, provider: Provider) => vscode.Disposable };
  McpStdioServerDefinition: new (
    label: string,
    command: string,
    args: string[],
    env: Record<string, string>,
    version: string,
  ) => Definition;
}

const run = promisify(execFile);
const PROBE_MS = 30_000;

/** Whether the server that was found has the MCP extra installed. */
async function canServe(command: string, args: string[], cwd: string): Promise<boolean> {
  return run(command, [...args, 'mcp', 'install', '--print'], { cwd, timeout: PROBE_MS }).then(
    () => true,
    () => false,
  );
}

/** Registers Sightline's MCP server, for the open folders, with agents in the editor and outside. */
export function registerMcpServer(
  extension: vscode.Extension<unknown>,
  supervisor: Supervisor,
  cwd: string,
): vscode.Disposable[] {
  const api = vscode as unknown as McpApi;
  const register = api.lm?.registerMcpServerDefinitionProvider;
  if (!register) return [];
  const changed = new vscode.EventEmitter<void>();
  const provider: Provider = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: async () => {
      const [command, ...args] = supervisor.command?.command ?? [];
      const roots = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
      if (!command || roots.length === 0 || !(await canServe(command, args, cwd))) return [];
      const folders = roots.flatMap(({ uri }) => ['--folder', uri.fsPath]);
      const { version } = extension.packageJSON as { version: string };
      const definition = new api.McpStdioServerDefinition(
        'Sightline',
        command,
        [...args, 'mcp', ...folders],
        {},
        version,
      );
      // Not in the workspace: `python -m` would import modules from it.
      definition.cwd = vscode.Uri.file(cwd);
      return [definition];
    },
  };
  return [
    changed,
    register('sightline', provider),
    supervisor.onDidChangeState(({ kind }) => kind === 'running' && changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
  ];
}
