import { isDeepStrictEqual } from 'node:util';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { inOrder } from '../../tools/synthetic/index.ts';
import { repairStore } from '../harness/repair-store.ts';
import type { ProtocolServer, Servers } from '../harness/servers.ts';
import { type Dump, rowsIn, Snapshot } from '../harness/store-dump.ts';

interface Kept {
  readonly server: ProtocolServer;
  readonly snapshot: Snapshot;
  /** The rows of this and of the first server that were last found to be the same. */
  same?: readonly [Dump, Dump];
}

/** The rows of all servers. */
export class ServerRows {
  readonly #first: Kept;
  readonly #others: readonly Kept[];
  readonly #order: readonly ResourceDescriptor[];

  constructor({ first, others }: Servers, resources: readonly ResourceDescriptor[]) {
    const kept = (server: ProtocolServer): Kept => ({ server, snapshot: new Snapshot(server.store, resources) });
    this.#first = kept(first);
    this.#others = others.map(kept);
    this.#order = inOrder(resources);
  }

  /** The rows of the first server, and how those of another differ from them, once: then they are repaired. */
  async compare(): Promise<{ readonly rows: Dump; readonly difference: string | undefined }> {
    const rows = await this.#first.snapshot.rows();
    let difference: string | undefined;
    for (const other of this.#others) {
      const found = await this.#difference(rows, other);
      difference ??= found;
    }
    return { rows, difference };
  }

  async #difference(rows: Dump, other: Kept): Promise<string | undefined> {
    const { server, snapshot, same } = other;
    const found = await snapshot.rows();
    if (found === same?.[0] && rows === same[1]) return undefined;
    const key = Object.keys(rows).find((one) => !isDeepStrictEqual(rows[one], found[one]));
    if (key === undefined) {
      other.same = [found, rows];
      return undefined;
    }
    await repairStore(server.store, found, rows, this.#order);
    const only = `only after ${this.#first.server.name} ${lacks(rows, found, key)}`;
    return `the rows of ${key} differ: ${only}, only after ${server.name} ${lacks(found, rows, key)}`;
  }
}

/** The rows of a resource that another dump does not have. */
function lacks(one: Dump, other: Dump, key: string): readonly string[] {
  const known = new Set(rowsIn(other, key).map((row) => JSON.stringify(row)));
  return rowsIn(one, key)
    .map((row) => JSON.stringify(row))
    .filter((row) => !known.has(row));
}
