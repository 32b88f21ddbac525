import * as vscode from 'vscode';
import { CallTool } from './protocol';
import type { Supervisor } from './server/supervisor';

// What VS Code has had since 1.95; the types are those of the oldest version that the extension runs in.
interface Invocation {
  input: { query?: string; path?: string };
}

interface LanguageModelTool {
  prepareInvocation(options: Invocation): { invocationMessage: string };
  invoke(options: Invocation, token: vscode.CancellationToken): Promise<unknown>;
}

interface ToolApi {
  lm: { registerTool?: (name: string, tool: LanguageModelTool) => vscode.Disposable };
  LanguageModelTextPart: new (text: string) => unknown;
  LanguageModelToolResult: new (parts: unknown[]) => unknown;
}

const PREFIX = 'sightline_';

interface Contributed {
  contributes: { languageModelTools: { name: string }[] };
}

/** Registers the server's tools for the editor's agents; the running server answers them. */
export function registerLanguageModelTools(
  extension: vscode.Extension<unknown>,
  supervisor: Supervisor,
): vscode.Disposable[] {
  const api = vscode as unknown as ToolApi;
  const registerTool = api.lm?.registerTool;
  if (!registerTool) return [];
  const { languageModelTools } = (extension.packageJSON as Contributed).contributes;
  return languageModelTools.map(({ name }) => registerTool(name, tool(name, api, supervisor)));
}

function tool(name: string, api: ToolApi, supervisor: Supervisor): LanguageModelTool {
  const action = name.slice(PREFIX.length);
  return {
    prepareInvocation: ({ input }) => ({
      invocationMessage: `Sightline ${action}${about(input.query ?? input.path)}`,
    }),
    invoke: async ({ input }, token) => {
      const { text } = await supervisor.request(CallTool, { name: action, arguments: input }, token);
      return new api.LanguageModelToolResult([new api.LanguageModelTextPart(text)]);
    },
  };
}

function about(subject: string | undefined): string {
  return subject ? `: ${subject}` : '';
}
