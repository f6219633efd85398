import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';

const SERVER = fileURLToPath(new URL(`./dev-server${extname(import.meta.url)}`, import.meta.url));

/** How a start ended: with what there is to tell, or with why there is no server. */
export type Started =
  | { readonly kind: 'up'; readonly told: string }
  | { readonly kind: 'failed'; readonly why: string };

interface Child {
  readonly process: ChildProcess;
  /** What it has written as errors. */
  errors: string;
}

/** The server in a process of its own, so that every start has the code of the moment. */
export class ChildServer {
  readonly #args: readonly string[];
  readonly #onCrash: (why: string) => void;
  #running: Child | undefined;
  #next: Child | undefined;

  constructor(args: readonly string[], onCrash: (why: string) => void) {
    this.#args = args;
    this.#onCrash = onCrash;
  }

  /** Loads the code for the next start, while there is something else to do. */
  prepare(): void {
    this.#next ??= this.#fork();
  }

  /** Serves a contract that is compiled already, in place of what is served now. */
  async start(contract: CompiledContract): Promise<Started> {
    this.prepare();
    const child = this.#next!;
    this.#next = undefined;
    await this.#end(this.#running);
    this.#running = child;
    const up = once(child.process, 'message').then(([told]): Started => ({ kind: 'up', told: String(told) }));
    const failed = once(child.process, 'close').then((): Started => ({ kind: 'failed', why: child.errors.trim() }));
    if (child.process.connected) child.process.send(contract);
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
      process: fork(SERVER, [...this.#args], { env, stdio: ['ignore', 'inherit', 'pipe', 'ipc'] }),
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
