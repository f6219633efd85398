import { isDeepStrictEqual } from 'node:util';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { repairStore } from '../harness/repair-store.ts';
import type { ServerPair } from '../harness/server-pair.ts';
import { type Dump, rowsIn, Snapshot } from '../harness/store-dump.ts';
import { inOrder } from '../synthetic/order.ts';

/** The rows of both servers. */
export class PairRows {
  readonly #servers: ServerPair;
  readonly #rest: Snapshot;
  readonly #graphql: Snapshot;
  readonly #order: readonly ResourceDescriptor[];
  /** Those that were last found to be the same on both. */
  #same: readonly Dump[] = [];

  constructor(servers: ServerPair, resources: readonly ResourceDescriptor[]) {
    this.#servers = servers;
    this.#rest = new Snapshot(servers.rest.store, resources);
    this.#graphql = new Snapshot(servers.graphql.store, resources);
    this.#order = inOrder(resources);
  }

  /** REST's rows, and how the others differ from them, once: then they are repaired. */
  async compare(): Promise<{ readonly rows: Dump; readonly difference: string | undefined }> {
    const [rows, others] = [await this.#rest.rows(), await this.#graphql.rows()];
    if (rows === this.#same[0] && others === this.#same[1]) return { rows, difference: undefined };
    const difference = differenceOf(rows, others);
    if (difference === undefined) this.#same = [rows, others];
    else await repairStore(this.#servers.graphql.store, others, rows, this.#order);
    return { rows, difference };
  }
}

function differenceOf(rest: Dump, graphql: Dump): string | undefined {
  for (const key of Object.keys(rest)) {
    if (isDeepStrictEqual(rest[key], graphql[key])) continue;
    const lacks = (one: Dump, other: Dump): string[] => {
      const known = new Set(rowsIn(other, key).map((row) => JSON.stringify(row)));
      return rowsIn(one, key)
        .map((row) => JSON.stringify(row))
        .filter((row) => !known.has(row));
    };
    return `the rows of ${key} differ: only after REST ${lacks(rest, graphql)}, only after GraphQL ${lacks(graphql, rest)}`;
  }
  return undefined;
}
