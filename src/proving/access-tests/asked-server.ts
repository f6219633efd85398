import type { FastifyInstance } from 'fastify';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { load, type SampleRow } from '../../tools/sample.ts';
import { serveOn, sqliteScratch } from '../../tools/scratch-store.ts';
import { inOrder } from '../../tools/synthetic/index.ts';
import { keys } from '../harness/callers.ts';
import { type PairedStore, pairedStore } from '../harness/paired-store.ts';
import type { Protocol } from '../harness/protocols.ts';
import { repairStore } from '../harness/repair-store.ts';
import { injected } from '../harness/request.ts';
import type { Outcome, Step } from '../harness/step.ts';
import { type Dump, Snapshot } from '../harness/store-dump.ts';

/** A server of a contract, without hand-written code, that answers each step on the same rows. */
export class AskedServer {
  readonly #app: FastifyInstance;
  readonly #store: PairedStore;
  readonly #snapshot: Snapshot;
  readonly #resources: readonly ResourceDescriptor[];
  /** The rows on which steps are answered. */
  #kept: Dump = {};
  /** Ends the server and removes its database. */
  readonly close: () => Promise<void>;

  private constructor(
    { app, close }: Awaited<ReturnType<typeof serveOn>>,
    store: PairedStore,
    { resources }: CompiledContract,
  ) {
    this.#app = app;
    this.close = close;
    this.#store = store;
    this.#snapshot = new Snapshot(store, resources);
    this.#resources = inOrder(resources);
  }

  /** Serves in this process, on a SQLite database of its own. */
  static async start(contract: CompiledContract, rows: Iterable<SampleRow>): Promise<AskedServer> {
    const scratch = await sqliteScratch('access', contract.resources);
    const store = pairedStore(scratch.store);
    // Rows are restored past the server, whose cache would not know of it.
    const options = { contract, store, allowMissing: true, authentication: { keys }, listCacheBytes: 0 };
    const served = await serveOn(scratch, { ...options, checkResponses: true });
    const server = new AskedServer(served, store, contract);
    try {
      await load(store, contract.resources, rows);
      server.#kept = await server.#snapshot.rows();
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  /** What a protocol answers, a list with the rows of all its pages; undefined where it has no such action. */
  async outcome(protocol: Protocol, step: Step): Promise<Outcome | undefined> {
    const first = await this.#sent(protocol, step);
    if (step.action === 'list') return first && this.#allPages(protocol, step, first);
    if (first?.kind === 'data' && step.action !== 'get')
      await repairStore(this.#store, await this.#snapshot.rows(), this.#kept, this.#resources);
    return first;
  }

  async #sent(protocol: Protocol, step: Step): Promise<Outcome | undefined> {
    const call = protocol.call(step);
    return call?.outcome(await injected(this.#app, call.request));
  }

  /** A list with the rows of all its pages. */
  async #allPages(protocol: Protocol, step: Step, first: Outcome): Promise<Outcome> {
    const data: unknown[] = [];
    let outcome = first;
    while (outcome.kind === 'data') {
      const { data: some, page } = outcome.value as Page;
      data.push(...some);
      if (page.nextCursor === null) return { kind: 'data', value: { data } };
      outcome = (await this.#sent(protocol, { ...step, query: { ...step.query, cursor: page.nextCursor } }))!;
    }
    return outcome;
  }
}

interface Page {
  readonly data: readonly unknown[];
  readonly page: { readonly nextCursor: string | null };
}
