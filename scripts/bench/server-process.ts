import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/tools/free-port.ts';
import { LoadConnection } from './connection.ts';
import type { Usage } from './usage.ts';

/** A server under load, in a separate process. */
export interface ServerProcess {
  readonly name: string;
  /** Of servers on this machine. */
  readonly pid?: number;
  readonly port: number;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** This machine if left out. */
  readonly host?: string;
  /** Milliseconds from starting the process to its first connection. */
  readonly startedInMs: number;
  /** Must not be called again before it resolves, because replies do not identify their request. */
  readonly usage: () => Promise<Usage>;
  /** Sends a message and resolves to the reply, under the same condition. */
  readonly ask: (message: string) => Promise<unknown>;
  readonly send: (message: object) => void;
  readonly stop: () => Promise<void>;
}

export interface ServerCommand {
  readonly name: string;
  /** The project that the module belongs to; this one if left out. */
  readonly root?: string;
  /** Module to run, relative to the project's root. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly nodeFlags?: readonly string[];
}

const STARTUP_LIMIT_MS = 60_000;
const PROBE_INTERVAL_MS = 5;

/** Starts the server on a free port and waits until it accepts connections. */
export async function startServer(command: ServerCommand): Promise<ServerProcess> {
  const port = await freePort();
  const start = performance.now();
  const root = command.root ?? fromRoot('');
  const child = fork(join(root, command.entry), {
    cwd: root,
    env: { ...process.env, ...command.environment, PORT: String(port) },
    execArgv: ['--import', new URL('report-usage.mjs', import.meta.url).href, ...(command.nodeFlags ?? [])],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await accepting(port, child, command.name);
  const ask = async (message: string): Promise<unknown> => {
    child.send(message);
    const [reply] = await once(child, 'message');
    return reply;
  };
  return {
    name: command.name,
    ...(child.pid !== undefined && { pid: child.pid }),
    port,
    signal: (signal) => child.kill(signal),
    startedInMs: performance.now() - start,
    send: (message) => child.send(message),
    ask,
    usage: async () => (await ask('usage')) as Usage,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

export const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

async function accepting(port: number, child: ChildProcess, name: string): Promise<void> {
  for (const start = performance.now(); performance.now() - start < STARTUP_LIMIT_MS; ) {
    if (child.exitCode !== null)
      throw new Error(`${name} exited with ${child.exitCode} before it accepted connections`);
    const connection = await LoadConnection.open(port).catch(() => undefined);
    if (connection) return connection.close();
    await delay(PROBE_INTERVAL_MS);
  }
  child.kill();
  throw new Error(`${name} did not accept a connection within ${STARTUP_LIMIT_MS} ms`);
}
