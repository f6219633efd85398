import { readFileSync } from 'node:fs';
import { type ServerProcess, startServer } from '../../../scripts/bench/server-process.ts';
import { endedByTests } from '../../support/clean-up.ts';
import { SECRET } from '../../support/instance.ts';
import { type ContractName, contracts } from './contracts.ts';
import type { Dataset } from './dataset.ts';
import type { Memory, Work } from './messages.ts';
import { request } from './requests.ts';
import { Wire } from './wire.ts';

/** What a production server must be told; everything else is as it is by default. */
const ENVIRONMENT = { NODE_ENV: 'production', JWT_SECRET: SECRET, LOG_LEVEL: 'fatal' };

/** A server with default settings, in a process of its own. */
export class AttackedServer {
  readonly contract: ContractName;
  readonly rows: number;
  readonly close: () => Promise<void>;
  readonly #process: ServerProcess;

  private constructor(contract: ContractName, rows: number, process: ServerProcess) {
    this.contract = contract;
    this.rows = rows;
    this.#process = process;
    this.close = endedByTests(() => process.stop());
  }

  static async start(
    contract: ContractName,
    { url, rows }: Dataset,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<AttackedServer> {
    const process = await startServer({
      name: contract,
      entry: contracts[contract].entry,
      environment: { ...ENVIRONMENT, DATABASE_URL: url, CONTRACTS: contracts[contract].folder, ...settings },
      nodeFlags: ['--expose-gc', '--import', new URL('../processes/watch.ts', import.meta.url).href],
    });
    return new AttackedServer(contract, rows, process);
  }

  get port(): number {
    return this.#process.port;
  }

  /** The processes that serve, by their ids; none where it is one process. */
  workers(): readonly number[] {
    const { pid } = this.#process;
    const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
    return ids.split(' ').filter(Boolean).map(Number);
  }

  /** What callers send while it is stopped, over connections made before, it finds all at once. Before, it answers a read. */
  async stoppedFor(send: () => Promise<void>): Promise<void> {
    await this.#acceptsAll();
    this.#process.signal('SIGSTOP');
    await send();
    this.#process.signal('SIGCONT');
  }

  /** In their order, and one in each turn of the event loop. */
  async #acceptsAll(): Promise<void> {
    const last = await Wire.open(this.port, '127.0.0.1');
    await last.send(request('GET', contracts[this.contract].read));
    last.close();
  }

  /** Collects all garbage first. */
  async memory(): Promise<Memory> {
    return (await this.#process.ask('memory')) as Memory;
  }

  /** Milliseconds of CPU that its main thread took since this or its work was asked last, without samples of what it holds. */
  async cpuMs(): Promise<number> {
    return (await this.#process.ask('cpu')) as number;
  }

  /** What it has done since this was asked last. */
  async work(): Promise<Work> {
    return (await this.#process.ask('work')) as Work;
  }
}
