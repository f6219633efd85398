import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { endWithTests } from '../../support/command.ts';

/** A module of `processes/` in a process of its own, which is asked and answers by messages, one at a time. */
export class Side {
  readonly #process: ChildProcess;
  readonly #ended: Promise<never>;

  constructor(module: string) {
    this.#process = fork(fileURLToPath(new URL(`../processes/${module}`, import.meta.url)), { execArgv: [] });
    endWithTests(this.#process);
    keepApart(this.#process);
    this.#ended = once(this.#process, 'exit').then(() => {
      throw new Error(`${module} has ended.`);
    });
    this.#ended.catch(() => undefined);
  }

  /** Rejects when the process ends. */
  async ask<T>(message: object): Promise<T> {
    this.tell(message);
    const [reply] = (await Promise.race([once(this.#process, 'message'), this.#ended])) as [T];
    return reply;
  }

  tell(message: object): void {
    this.#process.send(message);
  }

  end(): void {
    this.#process.disconnect();
  }
}

/** Attackers are on other machines: here, they take the last processor, where the system can say so, and leave the rest. */
function keepApart({ pid }: ChildProcess): void {
  const cores = availableParallelism();
  if (cores > 1) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', `${cores - 1}`, `${pid}`]);
}
