import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { modelContract, outputOf, runOutputOf } from '../../compiler/compile-contract.ts';
import { libraryFor, replaceOwn, writeOutput } from '../../compiler/emit/folder/index.ts';
import { type Finding, formatFindings, isSummary } from '../../compiler/findings/index.ts';
import type { ContractModel } from '../../compiler/model/index.ts';
import { explainFailure } from '../../tools/explain-failure.ts';
import { keptFiles } from '../../tools/kept-files.ts';
import type { StartOptions } from '../../tools/start-options.ts';
import { ChildServer } from './child-server.ts';
import type { DevDatabase } from './dev-database.ts';
import { ErrorPage } from './error-page.ts';

export interface DevOptions {
  readonly contracts: string;
  /** The output folder; when undefined, nothing is written. */
  readonly out: string | undefined;
  /** How the server is started. */
  readonly start: StartOptions;
  readonly host: string;
  readonly port: number;
  readonly database: DevDatabase;
}

/** What has changed since the last update. With neither contract nor code, it is only what is written. */
export interface Changes {
  /** Paths of the files that changed; none at the start. */
  readonly files: readonly string[];
  /** Whether the contract is to be compiled. */
  readonly contract: boolean;
  /** Whether there is other code to serve. */
  readonly code: boolean;
}

/** Files that are named before the others are only counted. */
const MAX_NAMED = 3;

/** Keeps a server running that reflects the files, or a page that says why it cannot. */
export class DevSession {
  readonly #options: DevOptions;
  readonly #server: ChildServer;
  readonly #page: ErrorPage;
  /** The contract as of its last version without errors. */
  #contract: ContractModel | undefined;
  /** Whether output that the server does not need remains to be written. */
  #isOutputPending = false;
  #waiting: Changes | undefined;
  #applied: Promise<void> | undefined;
  #isFirst = true;
  /** Whether a reset of the database has been offered. */
  #isOffered = false;

  constructor(options: DevOptions) {
    this.#options = options;
    this.#page = new ErrorPage(options.host, options.port);
    this.#server = new ChildServer(options.start, (reason) => void this.#fail('The server stopped.', reason));
  }

  /** Runs updates one after the other; changes that arrive in the meantime are combined. Resolves when all are applied. */
  async update(changes: Changes): Promise<void> {
    const { files, contract, code } = this.#waiting ?? { files: [], contract: false, code: false };
    this.#waiting = {
      files: [...new Set([...files, ...changes.files])],
      contract: changes.contract || contract,
      code: changes.code || code,
    };
    this.#applied ??= this.#applyAll();
    await this.#applied;
  }

  get #compiled(): ContractModel {
    if (!this.#contract) throw new Error('No contract has been compiled.');
    return this.#contract;
  }

  async #applyAll(): Promise<void> {
    try {
      while (this.#waiting) {
        const next: Changes = this.#waiting;
        this.#waiting = undefined;
        await this.#apply(next);
      }
    } finally {
      this.#applied = undefined;
    }
  }

  async close(): Promise<void> {
    this.#options.database.leave();
    await this.#server.stop();
    await this.#page.hide();
  }

  async #apply(changes: Changes): Promise<void> {
    const { contract, code, files } = changes;
    const startedMs = performance.now();
    if (files.length > 0) console.log(`\n${reasonOf(changes, this.#options.out)}`);
    if (!contract && !code && this.#contract) {
      this.#isOutputPending = this.#options.out !== undefined;
      return this.#report();
    }
    this.#server.prepare();
    const errors = contract || !this.#contract ? await this.#generate() : undefined;
    this.#isOffered = false;
    if (errors !== undefined) return this.#fail('The contract has errors.', errors);
    await this.#page.hide();
    const { database } = this.#options;
    database.leave();
    const fitted = contract ? await database.fit(this.#compiled) : [];
    if (fitted.length > 0) console.log(`Changed, with every row kept: ${fitted.join(', ')}.`);
    const started = await this.#server.start(this.#compiled);
    if (started.kind === 'failed') return this.#explain(started.reason);
    database.watchFile(() => this.#restart('is gone'));
    if (this.#isFirst) console.log(started.banner);
    this.#isFirst = false;
    console.log(`Served after ${Math.round(performance.now() - startedMs)} ms.`);
    // The server does not need the rest of the output (types, clients, documents), so it is written afterwards.
    await this.#report();
  }

  /** Says why the server cannot start, and follows the database if that is why. */
  async #explain(reason: string): Promise<void> {
    const { database } = this.#options;
    const unwritten = await this.#catchUp();
    const isRefused = await database.refuses(this.#compiled);
    const offer = isRefused ? database.offer() : '';
    this.#isOffered = offer !== '';
    if (isRefused) database.watchShape(this.#compiled, () => this.#restart('fits the contract'));
    await this.#fail('The server cannot start.', [reason, unwritten, offer].filter(Boolean).join('\n'));
    if (this.#isOffered) console.error(offer);
  }

  /** Deletes the database, where that was offered. */
  reset(): void {
    if (!this.#isOffered) return;
    this.#options.database.reset();
    this.#restart('is reset');
  }

  #restart(what: string): void {
    this.#isOffered = false;
    console.log(`\n${this.#options.database.name} ${what}: the server starts again.`);
    void this.update({ files: [], contract: false, code: true });
  }

  async #report(): Promise<void> {
    console.log((await this.#catchUp()) ?? 'Up to date; watching.');
  }

  /** Writes the rest of the output. Returns why it cannot be written, if so. */
  async #catchUp(): Promise<string | undefined> {
    if (!this.#isOutputPending) return undefined;
    try {
      await this.#write(this.#compiled);
      return undefined;
    } catch (error) {
      return whyOf(error);
    }
  }

  /** Writes the whole output of the compiler. Throws `ConfigError`. */
  async #write(model: ContractModel): Promise<void> {
    this.#isOutputPending = false;
    const out = this.#options.out!;
    await writeOutput(out, await outputOf(model, this.#options.contracts, libraryFor(out), keptFiles()));
  }

  /** Compiles the contract and writes what the server needs. Returns the contract's errors, if it has any. */
  async #generate(): Promise<string | undefined> {
    const { contracts, out } = this.#options;
    try {
      const { findings, model } = await modelContract(contracts, keptFiles());
      this.#contract = model;
      const told = findings.filter((finding) => finding.severity === 'error' || isSummary(finding));
      if (!model) return this.#describe(told);
      if (out === undefined) return undefined;
      this.#isOutputPending = await replaceOwn(out, ...runOutputOf(model, libraryFor(out)));
      if (!this.#isOutputPending) await this.#write(model);
      return undefined;
    } catch (error) {
      return whyOf(error);
    }
  }

  #describe(findings: readonly Finding[]): string {
    const read = (file: string): string | undefined => {
      try {
        return readFileSync(join(this.#options.contracts, file), 'utf8');
      } catch {
        return undefined;
      }
    };
    console.error(`\n${formatFindings(findings, { colour: process.stderr.isTTY, read })}`);
    return formatFindings(findings, { read });
  }

  async #fail(title: string, text: string): Promise<void> {
    await this.#server.stop();
    // When the port is in use, the server has reported that already.
    await this.#page.show({ title, text }).catch(() => undefined);
    console.error(`\n${title} Waiting for a change.`);
  }
}

/** Another process may have got in the way; the next change is another attempt. */
function whyOf(error: unknown): string {
  const why = explainFailure(error);
  return typeof why === 'string' ? why : inspect(why);
}

/** Which files changed, and what follows from it. */
function reasonOf({ files, contract, code }: Changes, out: string | undefined): string {
  const more = files.length - MAX_NAMED;
  const named = files.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  if (contract) return `${named} changed: the contract is compiled and served again.`;
  if (code) return `${named} changed: the server starts again.`;
  return `${named} changed: ${out ?? 'the output'} is written again.`;
}
