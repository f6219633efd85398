import { type ChildProcess, spawn } from 'node:child_process';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { scriptCall } from '../../src/tools/commands.ts';
import type { CommandModule } from '../../src/tools/define-command.ts';
import { runCommand } from '../../src/tools/run-command.ts';
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

/** A script of the project, or of another by its path, in a process of its own, on the Node of the tests. */
export class Command {
  readonly process: ChildProcess;
  readonly finished: Promise<Finished>;
  #stdout = '';
  #stderr = '';

  /**
   * `cwd`: the folder that it runs in, if not the root. `detached`: in a process group of its own, as in a terminal, and
   * reading what is typed.
   */
  constructor(
    script: string,
    args: readonly string[] = [],
    environment: Environment = {},
    cwd = root,
    detached = false,
  ) {
    const { NODE_ENV: _, ...inherited } = process.env;
    this.process = spawn(process.execPath, [resolve(root, script), ...args], {
      cwd,
      env: { ...inherited, ...environment },
      stdio: [detached ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      detached,
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

/** Where a server of production listens, once it does: its origin. */
export async function listeningAt(command: Command): Promise<string> {
  const output = await command.output(/Server listening at \S+:\d+/);
  return `http://127.0.0.1:${/Server listening at \S+:(\d+)/.exec(output)![1]}`;
}

export const run = (script: string, args: readonly string[] = [], environment: Environment = {}): Promise<Finished> =>
  new Command(script, args, environment).finished;

class Exit extends Error {}

/** What runs in this process now: output and exit code are the process's own, and so one command runs at a time. */
let running: Promise<unknown> = Promise.resolve();

/**
 * Runs a script of the project inside the worker, which has loaded most of it before: for commands that end by themselves and
 * neither listen nor take signals. A process of its own costs seconds.
 */
export function runHere(
  script: string,
  args: readonly string[] = [],
  environment: Environment = {},
): Promise<Finished> {
  const finished = running.then(() => capture(script, args, environment));
  running = finished.catch(() => undefined);
  return finished;
}

async function capture(script: string, args: readonly string[], environment: Environment): Promise<Finished> {
  const { command }: CommandModule = await import(pathToFileURL(join(root, script)).href);
  command.name(scriptCall(basename(script, '.ts')));
  const written = { stdout: '', stderr: '' };
  const into = (stream: keyof typeof written) => (text: unknown) => {
    written[stream] += String(text);
    return true;
  };
  const line =
    (stream: keyof typeof written) =>
    (...values: unknown[]) => {
      written[stream] += `${format(...values)}\n`;
    };
  const restored = [
    replaced(process.stdout, { write: into('stdout') }),
    replaced(process.stderr, { write: into('stderr') }),
    replaced(console, { log: line('stdout'), info: line('stdout'), warn: line('stderr'), error: line('stderr') }),
    replaced(process, {
      exitCode: undefined,
      env: { ...process.env, NODE_ENV: undefined, ...environment },
      exit: (code: number) => {
        process.exitCode = code;
        throw new Exit();
      },
    }),
  ];
  try {
    await runCommand(command, [process.execPath, script, ...args]).catch((error) => {
      if (!(error instanceof Exit)) throw error;
    });
    return { code: Number(process.exitCode ?? 0), ...written };
  } finally {
    for (const restore of restored) restore();
  }
}

/** Replaces properties of an object; the function that brings them back. */
function replaced(target: object, properties: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(properties).map((name) => [name, Reflect.get(target, name)] as const);
  Object.assign(target, properties);
  return () => Object.assign(target, Object.fromEntries(before));
}
