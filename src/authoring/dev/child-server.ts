import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { StartOptions } from '../../tools/start-options.ts';

const SERVER = fileURLToPath(new URL(`./dev-server${extname(import.meta.url)}`, import.meta.url));

/** The outcome of a start: the server's banner, or the reason why it failed. */
export type StartOutcome =
  | { readonly kind: 'up'; readonly banner: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** What the parent sends to the child process. */
export interface StartMessage {
  readonly options: StartOptions;
  readonly contract: CompiledContract;
}

interface Child {
  readonly process: ChildProcess;
  /** What it has written to stderr. */
  errors: string;
}

/** Runs the server in a child process, so that every start loads the current code. */
export class ChildServer {
  readonly #options: StartOptions;
  readonly #onCrash: (reason: string) => void;
  #running: Child | undefined;
  #next: Child | undefined;

  constructor(options: StartOptions, onCrash: (reason: string) => void) {
    this.#options = options;
    this.#onCrash = onCrash;
  }

  /** Starts loading the code for the next start. */
  prepare(): void {
    this.#next ??= this.#fork();
  }

  /** Serves a compiled contract in place of the one that is served now. */
  async start(contract: CompiledContract): Promise<StartOutcome> {
    this.prepare();
    const child = this.#next!;
    this.#next = undefined;
    await this.#end(this.#running);
    this.#running = child;
    const up = once(child.process, 'message').then(
      ([banner]): StartOutcome => ({ kind: 'up', banner: String(banner) }),
    );
    const failed = once(child.process, 'close').then(
      (): StartOutcome => ({ kind: 'failed', reason: child.errors.trim() }),
    );
    if (child.process.connected) child.process.send({ options: this.#options, contract } satisfies StartMessage);
    const started = await Promise.race([up, failed]);
    if (started.kind === 'failed') this.#running = undefined;
    else child.process.once('close', () => this.#crashed(child));
    return started;
  }

  async stop(): Promise<void> {
    const children = [this.#running, this.#next];
    this.#running = undefined;
    this.#next = undefined;
    await Promise.all(children.map((child) => this.#end(child)));
  }

  #fork(): Child {
    const env = { SHUTDOWN_DELAY_MS: '0', ...process.env };
    const child: Child = {
      // In a process group of its own: the terminal's signal is for this process, which passes it on to the child.
      process: fork(SERVER, {
        env,
        stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
        detached: process.platform !== 'win32',
      }),
      errors: '',
    };
    child.process.stderr!.on('data', (chunk: Buffer) => {
      child.errors += chunk;
      process.stderr.write(chunk);
    });
    return child;
  }

  async #end(child: Child | undefined): Promise<void> {
    if (!child) return;
    if (this.#running === child) this.#running = undefined;
    const { process: running } = child;
    if (running.exitCode !== null || running.signalCode !== null) return;
    running.kill('SIGTERM');
    await once(running, 'close');
  }

  #crashed(child: Child): void {
    if (this.#running !== child) return;
    this.#running = undefined;
    this.#onCrash(child.errors.trim());
  }
}
