import * as vscode from 'vscode';
import { PRODUCT } from './names';
import { run } from './server/process';
import type { Supervisor } from './server/supervisor';

// What VS Code has had since 1.101; the types are those of the oldest version that the extension runs in.
interface Definition {
  cwd?: vscode.Uri;
}

interface Provider {
  onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(): Definition[];
  resolveMcpServerDefinition(definition: Definition): Promise<Definition | undefined>;
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

const PROBE_MS = 30_000;

/** Why the server that was found cannot serve agents: usually its environment lacks the package. */
async function problem(command: string[], cwd: string): Promise<string | undefined> {
  const { ok, output } = await run([...command, 'mcp', 'install', '--print'], { cwd, timeoutMs: PROBE_MS });
  return ok ? undefined : output.trim();
}

/** Registers Sightline's MCP server, for the open folders, with agents in the editor and outside. */
export function registerMcpServer(
  extension: vscode.Extension<unknown>,
  supervisor: Supervisor,
  log: vscode.LogOutputChannel,
  cwd: string,
): vscode.Disposable[] {
  const api = vscode as unknown as McpApi;
  const register = api.lm?.registerMcpServerDefinitionProvider;
  if (!register) return [];
  const changed = new vscode.EventEmitter<void>();
  const command = () => supervisor.command?.command ?? [];
  const provider: Provider = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () => {
      const [program, ...args] = command();
      const roots = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
      if (!program || roots.length === 0) return [];
      const folders = roots.flatMap(({ uri }) => ['--folder', uri.fsPath]);
      const { version } = extension.packageJSON as { version: string };
      const all = [...args, 'mcp', ...folders];
      const definition = new api.McpStdioServerDefinition(PRODUCT, program, all, {}, version);
      // Not in the workspace: `python -m` would import modules from it.
      definition.cwd = vscode.Uri.file(cwd);
      return [definition];
    },
    // Called when the server is about to be started: a user who never starts it gets no message.
    resolveMcpServerDefinition: async (definition) => {
      const found = await problem(command(), cwd);
      if (found === undefined) return definition;
      log.error(found);
      // Not awaited: the editor waits for the definition, and the message stays.
      void vscode.window
        .showErrorMessage(`The MCP server cannot be started. ${found}`, 'Show Logs')
        .then((chosen) => {
          if (chosen) log.show();
        });
      return undefined;
    },
  };
  return [
    changed,
    register('sightline', provider),
    supervisor.onDidChangeState(({ kind }) => kind === 'running' && changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
  ];
}
