import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { Protocol } from '../harness/protocols.ts';
import type { Outcome, Step } from '../harness/step.ts';
import type { SampleRow } from '../start/sample.ts';
import { type AccessServer, startAccessServer } from './access-server.ts';

/** A server that answers each step on the same rows. */
export class AskedServer {
  readonly #server: AccessServer;

  private constructor(server: AccessServer) {
    this.#server = server;
  }

  static async start(contract: CompiledContract, rows: Iterable<SampleRow>): Promise<AskedServer> {
    return new AskedServer(await startAccessServer(contract, rows));
  }

  /** What a protocol answers, a list with the rows of all its pages; undefined where it has no such action. */
  async outcome(protocol: Protocol, step: Step): Promise<Outcome | undefined> {
    const first = await this.#sent(protocol, step);
    if (step.action !== 'list') {
      if (first?.kind === 'data' && step.action !== 'get') await this.#server.restore();
      return first;
    }
    return first && this.#allPages(protocol, step, first);
  }

  async #sent(protocol: Protocol, step: Step): Promise<Outcome | undefined> {
    const request = protocol.request(step);
    return request && protocol.outcome(step, await this.#server.send(request));
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

  close(): Promise<void> {
    return this.#server.close();
  }
}

interface Page {
  readonly data: readonly unknown[];
  readonly page: { readonly nextCursor: string | null };
}
