import {
  type CancellationToken,
  type Disposable,
  EventEmitter,
  type Extension,
  type LogOutputChannel,
} from 'vscode';
import type { LanguageClient, RequestType } from 'vscode-languageclient/node';
import { PRODUCT } from '../names';
import { GetIndexStatus, type IndexStatus, StatusChanged } from '../protocol';
import { Backoff } from './backoff';
import { createClient } from './client';
import { locate, type Missing, type ServerCommand } from './locate';
import type { ManagedEnvironment } from './managed';

export type ServerState =
  | { kind: 'stopped' }
  | { kind: 'starting' }
  | { kind: 'running'; client: LanguageClient }
  | { kind: 'waiting'; seconds: number }
  | { kind: 'missing'; what: Missing; python?: string[] }
  | { kind: 'failed'; message: string };

/** The server cannot answer now; the message gives the reason. */
export class ServerUnavailable extends Error {}

const messages: Record<Missing, string> = {
  folder: `No folder of this workspace is on disk: ${PRODUCT} indexes folders on disk only.`,
  python: 'Python 3.10 or newer was not found.',
  package: `The ${PRODUCT} server is not installed.`,
  outdated: `The ${PRODUCT} server belongs to another version of the extension.`,
};

/** The problem in one sentence, or undefined while the server runs or starts. */
export function problemOf(state: ServerState): string | undefined {
  if (state.kind === 'missing') return messages[state.what];
  if (state.kind === 'failed') return state.message;
  return state.kind === 'stopped' ? `The ${PRODUCT} server is not running.` : undefined;
}

export interface SupervisorSetup {
  extension: Extension<unknown>;
  log: LogOutputChannel;
  managed: ManagedEnvironment;
  cwd: string;
}

/** Keeps one server alive: starts it, restarts it after a crash with back-off, and reports its state. */
export class Supervisor implements Disposable {
  private readonly stateEmitter = new EventEmitter<ServerState>();
  private readonly statusEmitter = new EventEmitter<IndexStatus>();
  private readonly backoff = new Backoff();
  private queue: Promise<void> = Promise.resolve();
  private current: LanguageClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;

  readonly onDidChangeState = this.stateEmitter.event;
  readonly onDidChangeStatus = this.statusEmitter.event;
  private currentState: ServerState = { kind: 'stopped' };
  private currentStatus: IndexStatus | undefined;
  private currentCommand: ServerCommand | undefined;

  constructor(private readonly setup: SupervisorSetup) {}

  get state(): ServerState {
    return this.currentState;
  }

  /** The index as last reported; undefined while no server runs. */
  get status(): IndexStatus | undefined {
    return this.currentStatus;
  }

  get command(): ServerCommand | undefined {
    return this.currentCommand;
  }

  start(): Promise<void> {
    return this.enqueue(async () => {
      if (this.current === undefined) await this.launch();
    });
  }

  restart(): Promise<void> {
    return this.enqueue(async () => {
      this.backoff.reset();
      await this.halt();
      await this.launch();
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.halt());
  }

  /** Sends a request once the server runs; throws ServerUnavailable if it does not start. */
  async request<P, R>(type: RequestType<P, R, void>, params: P, token?: CancellationToken): Promise<R> {
    const client = await this.client();
    // An undefined token would count as a second parameter.
    return client.sendRequest<R>(type.method, params, ...(token ? [token] : []));
  }

  /** Requests the status now, without waiting for the next notification. */
  async refreshStatus(): Promise<void> {
    this.publish(await this.request(GetIndexStatus, {}));
  }

  async execute(command: string): Promise<void> {
    await (await this.client()).sendRequest('workspace/executeCommand', { command, arguments: [] });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.stateEmitter.dispose();
    this.statusEmitter.dispose();
  }

  private client(): Promise<LanguageClient> {
    return new Promise((resolve, reject) => {
      const settle = (state: ServerState): boolean => {
        const problem = problemOf(state);
        if (state.kind === 'running') resolve(state.client);
        else if (problem) reject(new ServerUnavailable(problem));
        return state.kind === 'running' || problem !== undefined;
      };
      if (settle(this.state)) return;
      const listening = this.onDidChangeState((state) => {
        if (settle(state)) listening.dispose();
      });
    });
  }

  /** One change of state at a time: two quick restarts must not leave two servers running. */
  private enqueue(work: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(work).catch((error: Error) => this.fail(error.message));
    return this.queue;
  }

  private async launch(): Promise<void> {
    clearTimeout(this.timer);
    this.become({ kind: 'starting' });
    const location = await locate(this.setup.managed, this.setup.cwd);
    if ('missing' in location) {
      const { missing: what, python } = location;
      this.setup.log.warn(messages[what]);
      this.become(python ? { kind: 'missing', what, python } : { kind: 'missing', what });
      return;
    }
    this.currentCommand = location.found;
    this.setup.log.info(`Starting ${location.found.command.join(' ')} serve (${location.found.origin})`);
    await this.connect(location.found);
  }

  private async connect(server: ServerCommand): Promise<void> {
    const client = createClient({ ...this.setup, server, onClosed: () => this.lost(client) });
    this.current = client;
    this.startedAt = Date.now();
    client.onNotification(StatusChanged, (status) => this.publish(status));
    try {
      await client.start();
    } catch (error) {
      this.lost(client, error);
      return;
    }
    if (this.current === client) this.become({ kind: 'running', client });
  }

  private async halt(): Promise<void> {
    clearTimeout(this.timer);
    const client = this.current;
    this.current = undefined;
    this.become({ kind: 'stopped' });
    if (client?.needsStop()) await client.stop();
  }

  private lost(client: LanguageClient, error?: unknown): void {
    if (this.current !== client) return;
    this.current = undefined;
    // The library reports a program that could not be spawned as text only.
    if (String(error).includes('ENOENT')) {
      this.fail(`${this.command?.command[0]} does not exist.`);
      return;
    }
    const seconds = this.backoff.next(Date.now() - this.startedAt);
    if (seconds === undefined) {
      this.fail(`The ${PRODUCT} server keeps stopping. The log has the details.`);
      return;
    }
    this.setup.log.warn(`The server stopped; starting it again in ${seconds} s. ${error ?? ''}`);
    this.become({ kind: 'waiting', seconds });
    this.timer = setTimeout(() => void this.start(), seconds * 1000);
  }

  private fail(message: string): void {
    this.setup.log.error(message);
    this.become({ kind: 'failed', message });
  }

  private become(state: ServerState): void {
    this.currentState = state;
    if (state.kind !== 'running') this.currentStatus = undefined;
    this.stateEmitter.fire(state);
  }

  private publish(status: IndexStatus): void {
    // An answer can arrive after the server was stopped.
    if (this.state.kind === 'stopped') return;
    this.currentStatus = status;
    this.statusEmitter.fire(status);
  }
}
