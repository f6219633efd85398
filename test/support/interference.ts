import { createRowCodec } from '../../src/runtime/engine/resource/row-codec.ts';
import type { DatabaseKind } from './databases.ts';
import { type As, contractOf, type Reply, type Service, startCompiled } from './service.ts';

/** Rows by the key of their resource, in the order in which they are inserted. */
export type Rows = readonly (readonly [resource: string, rows: readonly object[]])[];

export interface Attack {
  readonly method: string;
  readonly url: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export const get = (url: string, headers: Readonly<Record<string, string>> = {}): Attack => ({
  method: 'GET',
  url,
  headers,
});

export const ask = (query: string, variables: object = {}): Attack => ({
  method: 'POST',
  url: '/graphql',
  body: { query, variables },
});

const VARYING = ['date', 'x-request-id', 'consistency-token', 'server-timing'];
const NAMED = /"(requestId|consistencyToken)":"[^"]*"/g;
/** Each server signs cursors by a key of its own. */
const SIGNED = /(?<="(?:nextCursor|endCursor|startCursor|previousCursor|cursor)":")[\w-]{22}/g;

/**
 * Two services of one contract, whose rows differ in what an attacker may not read: where it can tell the one from the
 * other by any answer, it learns of that.
 */
export class Worlds {
  readonly services: readonly Service[];
  readonly #rows: readonly Rows[];
  #id = 0;

  private constructor(start: (newId: () => string) => readonly Service[], rows: readonly Rows[]) {
    this.services = start(() => `00000000-0000-7000-9000-${String(this.#id++).padStart(12, '0')}`);
    this.#rows = rows;
  }

  /** Cached lists would not notice that rows are put back. */
  static async start(name: string, database: DatabaseKind, rows: readonly Rows[]): Promise<Worlds> {
    const contract = await contractOf(name);
    let makeId = (): string => '';
    const services: Service[] = [];
    for (const _ of rows)
      services.push(await startCompiled(contract, database, {}, { newId: () => makeId(), listCacheBytes: 0 }));
    const worlds = new Worlds((newId) => {
      makeId = newId;
      return services;
    }, rows);
    await worlds.refill();
    return worlds;
  }

  async close(): Promise<void> {
    for (const service of this.services) await service.close();
  }

  /** The rows as they were at first. */
  async refill(): Promise<void> {
    for (const [at, service] of this.services.entries()) await fillWith(service, this.#rows[at]!);
  }

  async send({ url, method, ...more }: Attack, as: As | undefined, at: number): Promise<Reply> {
    this.#id = 0;
    const reply = await this.services[at]!.request(method, url, { ...more, ...(as && { as }) });
    if (/Cannot query field|Unknown argument/.test(reply.text)) throw new Error(reply.text);
    return reply;
  }

  /** The answers around the place where they differ, after `adapted`; none where they do not. */
  async differing(
    attack: Attack | ((at: number) => Attack),
    as: As | undefined,
    adapted = (answer: string): string => answer,
  ): Promise<readonly string[]> {
    const answers: string[] = [];
    const attackOf = typeof attack === 'function' ? attack : () => attack;
    for (const at of this.services.keys()) answers.push(adapted(told(await this.send(attackOf(at), as, at))));
    const [one, other] = answers as [string, string];
    if (one === other) return [];
    const from = Math.max(0, [...one].findIndex((character, at) => character !== other[at]) - 60);
    const near = answers.map((answer) => answer.slice(from, from + 160)).join(' / ');
    return [`${as?.sub} ${JSON.stringify(attackOf(0))}: ${near}`];
  }
}

/** What an answer tells, without what no two answers share; the tag of a page names its cursors. */
function told({ status, headers, text: written, body }: Reply): string {
  const text = body?.errors?.[0]?.path ? inOrder(body) : written;
  const plain = text.replaceAll(NAMED, '').replaceAll(SIGNED, '');
  const isPage = text.match(SIGNED) !== null;
  const kept = Object.entries(headers).filter(([name]) => !VARYING.includes(name) && !(isPage && name === 'etag'));
  return JSON.stringify([status, kept, plain]);
}

/** Fields are answered at once, and their errors stand in the order in which they arise. */
const inOrder = ({ data, errors }: { data?: unknown; errors: readonly { path: unknown }[] }): string =>
  JSON.stringify({ data, errors: errors.toSorted((a, b) => String(a.path).localeCompare(String(b.path))) });

async function fillWith({ store, contract, now }: Service, rows: Rows): Promise<void> {
  const managed = { version: 1, createdAt: now, updatedAt: now };
  const order = [{ property: 'id', direction: 'asc' }] as const;
  const of = (resource: string) => contract.resources.find(({ key }) => key === resource)!;
  await store.transaction(async (transaction) => {
    await transaction.deferReferences();
    for (const [resource] of rows.toReversed()) {
      const at = of(resource).properties.findIndex(({ name }) => name === 'id');
      for (const row of await transaction.list({ resource, conditions: [], order, limit: 100 }))
        await transaction.delete(resource, row[at] as string);
    }
    for (const [resource, some] of rows) {
      const codec = createRowCodec(of(resource).properties);
      await transaction.insertAll(
        resource,
        some.map((one) => codec.toRow({ ...managed, ...one })),
      );
    }
  });
}
