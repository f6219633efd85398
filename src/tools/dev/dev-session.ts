import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelContract, outputOf, runOutputOf } from '../../compiler/compile-contract.ts';
import { replaceOwn, writeOutput } from '../../compiler/emit/output-folder.ts';
import type { Finding } from '../../compiler/findings/finding.ts';
import { formatFindings } from '../../compiler/findings/report.ts';
import type { ContractModel } from '../../compiler/model/model.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import { ChildServer } from './child-server.ts';
import { FaultPage } from './fault-page.ts';

export interface DevOptions {
  readonly contracts: string;
  /** Where output goes; undefined: nowhere, the server compiles for itself. */
  readonly out: string | undefined;
  /** For `npm start`. */
  readonly args: readonly string[];
  readonly host: string;
  readonly port: number;
}

/** What has changed. */
export interface Changes {
  readonly contract: boolean;
}

/** Keeps a server up that is what the files say, or says why there is none. */
export class DevSession {
  readonly #options: DevOptions;
  readonly #server: ChildServer;
  readonly #page: FaultPage;
  /** As it was when it last had no errors. */
  #contract: ContractModel | undefined;
  /** What the server does not wait for is yet to be written. */
  #isBehind = false;
  #waiting: Changes | undefined;
  #isBusy = false;
  #isFirst = true;

  constructor(options: DevOptions) {
    this.#options = options;
    this.#page = new FaultPage(options.host, options.port);
    this.#server = new ChildServer(options.args, (why) => void this.#fail('The server stopped.', why));
  }

  /** One after the other; what changes meanwhile is taken together. */
  async update(changes: Changes): Promise<void> {
    this.#waiting = { contract: changes.contract || this.#waiting?.contract === true };
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      while (this.#waiting) {
        const next: Changes = this.#waiting;
        this.#waiting = undefined;
        await this.#apply(next);
      }
    } finally {
      this.#isBusy = false;
    }
  }

  async close(): Promise<void> {
    await this.#server.stop();
    await this.#page.hide();
  }

  async #apply({ contract }: Changes): Promise<void> {
    const begun = performance.now();
    this.#server.prepare();
    const fault = contract || !this.#contract ? await this.#generate() : undefined;
    if (fault !== undefined) return this.#fail('The contract has errors.', fault);
    await this.#page.hide();
    const started = await this.#server.start(this.#contract!);
    if (started.kind === 'failed') {
      if (this.#isBehind) await this.#write(this.#contract!);
      return this.#fail('The server cannot start.', started.why);
    }
    if (this.#isFirst) console.log(started.told);
    this.#isFirst = false;
    console.log(`Served after ${Math.round(performance.now() - begun)} ms.`);
    // The server has what it needs; types, clients and documents are for people and for the next start.
    if (this.#isBehind) await this.#write(this.#contract!);
    console.log('Up to date; watching.');
  }

  /** Writes what the compiler makes of the contract. */
  async #write(model: ContractModel): Promise<void> {
    this.#isBehind = false;
    await writeOutput(this.#options.out!, await outputOf(model));
  }

  /** The contract's errors, if it has any. */
  async #generate(): Promise<string | undefined> {
    const { contracts, out } = this.#options;
    try {
      const { findings, model } = await modelContract(contracts);
      this.#contract = model;
      if (!model) return this.#describe(findings.filter(({ severity }) => severity === 'error'));
      if (out === undefined) return undefined;
      this.#isBehind = await replaceOwn(out, ...runOutputOf(model));
      if (!this.#isBehind) await this.#write(model);
      return undefined;
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
  }

  #describe(errors: readonly Finding[]): string {
    const read = (file: string): string | undefined => {
      try {
        return readFileSync(join(this.#options.contracts, file), 'utf8');
      } catch {
        return undefined;
      }
    };
    console.error(`\n${formatFindings(errors, { colour: process.stderr.isTTY, read })}`);
    return formatFindings(errors, { read });
  }

  async #fail(title: string, text: string): Promise<void> {
    await this.#server.stop();
    // Whoever has the port, if it is not free, has said what keeps the server from starting.
    await this.#page.show({ title, text }).catch(() => undefined);
    console.error(`\n${title} Waiting for a change.`);
  }
}
