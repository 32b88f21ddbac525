import {
  type Extension,
  Hover,
  type HoverProvider,
  type LogOutputChannel,
  MarkdownString,
  Uri,
} from 'vscode';
import {
  CloseAction,
  type DynamicFeature,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  type StaticFeature,
} from 'vscode-languageclient/node';
import { PRODUCT } from '../names';
import { explicitSettings } from '../settings';
import type { ServerCommand } from './locate';

const EXECUTE_COMMAND = 'workspace/executeCommand';

/** A client that leaves commands and messages to the extension, which registers the same names. */
class SightlineClient extends LanguageClient {
  // biome-ignore lint/suspicious/noExplicitAny: the signature is the library's
  override registerFeature(feature: StaticFeature | DynamicFeature<any>): void {
    const method = 'registrationType' in feature ? feature.registrationType.method : undefined;
    if (method !== EXECUTE_COMMAND) super.registerFeature(feature);
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** Indexing is shown by the status-bar item; the library's progress would show a second number. */
const withoutProgress: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    capabilities.window = { ...capabilities.window, workDoneProgress: false };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

export interface ClientSetup {
  server: ServerCommand;
  cwd: string;
  log: LogOutputChannel;
  extension: Extension<unknown>;
  onClosed: () => void;
}

type HoverArguments = Parameters<HoverProvider['provideHover']>;

function relatedLink(document: HoverArguments[0], position: HoverArguments[1]): MarkdownString {
  const where = {
    uri: document.uri.toString(),
    position: { line: position.line, character: position.character },
  };
  const link = new MarkdownString(
    `[$(references) Find related](command:sightline.findRelated?${encodeURIComponent(JSON.stringify([where]))} "${PRODUCT}: Find Related")`,
    true,
  );
  link.isTrusted = { enabledCommands: ['sightline.findRelated'] };
  return link;
}

function middleware(extension: Extension<unknown>): Middleware {
  return {
    provideHover: async (document, position, token, next) => {
      const hover = await next(document, position, token);
      return hover && new Hover([...hover.contents, relatedLink(document, position)], hover.range);
    },
    workspace: {
      configuration: (params) =>
        params.items.map((item) =>
          explicitSettings(extension, item.scopeUri ? Uri.parse(item.scopeUri) : undefined),
        ),
      // The server requests its settings; pushed settings would include the defaults.
      didChangeConfiguration: (_sections, next) => next(undefined),
    },
  };
}

/** A client for one run of the server; restarting is done by the supervisor. */
export function createClient(setup: ClientSetup): LanguageClient {
  const [command = '', ...args] = setup.server.command;
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: 'file' }],
    outputChannel: setup.log,
    traceOutputChannel: setup.log,
    middleware: middleware(setup.extension),
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        setup.onClosed();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
  };
  // Not in the workspace: `python -m` would import modules from it.
  const executable = { command, args: [...args, 'serve'], options: { cwd: setup.cwd } };
  const client = new SightlineClient('sightline', PRODUCT, executable, options);
  client.registerFeature(withoutProgress);
  return client;
}
