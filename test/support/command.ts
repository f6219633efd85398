import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { endedByTests } from './clean-up.ts';

const root = join(import.meta.dirname, '..', '..');

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

/** A test that fails before it has ended its processes leaves none behind. */
export function endWithTests(child: ChildProcess): void {
  const kill = endedByTests(() => child.kill('SIGKILL'));
  process.once('exit', kill);
  child.once('exit', () => {
    process.off('exit', kill);
    kill();
  });
}

/** A script of the project in a process of its own, on the Node of the tests. */
export class Command {
  readonly process: ChildProcess;
  readonly finished: Promise<Finished>;
  #stdout = '';
  #stderr = '';

  constructor(script: string, args: readonly string[] = [], environment: Environment = {}) {
    const { NODE_ENV: _, ...inherited } = process.env;
    this.process = spawn(process.execPath, [join(root, script), ...args], {
      cwd: root,
      env: { ...inherited, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout!.on('data', (chunk) => {
      this.#stdout += chunk;
    });
    this.process.stderr!.on('data', (chunk) => {
      this.#stderr += chunk;
    });
    endWithTests(this.process);
    this.finished = new Promise((resolve) => {
      this.process.on('close', (code) => resolve({ code, stdout: this.#stdout, stderr: this.#stderr }));
    });
  }

  /** What it has written once that matches. Rejects when it ends before. */
  async output(pattern: RegExp): Promise<string> {
    const matching = new Promise<string>((resolve) => {
      const look = () => {
        if (pattern.test(this.#stdout)) resolve(this.#stdout);
      };
      this.process.stdout!.on('data', look);
      look();
    });
    const ended = this.finished.then(({ stdout, stderr }) => {
      throw new Error(`ended without ${pattern}: ${stdout}${stderr}`);
    });
    ended.catch(() => undefined);
    return Promise.race([matching, ended]);
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Finished> {
    this.process.kill(signal);
    return this.finished;
  }
}

export const run = (script: string, args: readonly string[] = [], environment: Environment = {}): Promise<Finished> =>
  new Command(script, args, environment).finished;
