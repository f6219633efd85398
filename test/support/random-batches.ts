import { expect } from 'vitest';
import { Random } from '../../src/tools/random.ts';
import type { DatabaseKind } from './databases.ts';
import { type As, type Service, startService } from './service.ts';
import type { Json } from './storefront.ts';

const as: As = { sub: 'ann', scope: 'wares:read wares:write', claims: { tenant: 'a' } };
const CODES = ['a', 'b', 'c', 'd', 'e'];

type Item = Readonly<Record<string, Json>>;

/** The rows of a server by their code, without what the server itself gives them. */
async function rowsOf(service: Service): Promise<ReadonlyMap<string, Json>> {
  const { body } = await service.request('GET', '/v1/wares?limit=100', { as });
  return new Map(body.data.map((row: Json) => [row.code, row]));
}

const shown = (rows: ReadonlyMap<string, Json>): readonly Json[] =>
  [...rows.values()]
    .map(({ id: _, version: __, created_at: ___, updated_at: ____, ...row }: Json) => row)
    .toSorted((a, b) => (a.code < b.code ? -1 : 1));

/** One item as the request of its action alone. */
async function alone(service: Service, item: Item): Promise<Json> {
  const [[kind, part]] = Object.entries(item) as [[string, Json]];
  const rows = await rowsOf(service);
  const code = part.key?.code;
  const id = rows.get(code)?.id ?? '01941f29-7c00-7a10-8c57-0000000000ff';
  const send = (method: string, path: string, body?: Json) =>
    service.request(method, `/v1/wares${path}`, { as, ...(body && { body }) });
  if (kind === 'create') return send('POST', '', part.input);
  if (kind === 'update') return send('PATCH', `/${id}`, part.input);
  if (kind === 'replace') return send('PUT', `/${id}`, part.input);
  if (kind === 'delete') return send('DELETE', `/${id}`);
  const changes = part.update ?? part.create;
  return rows.has(code) ? send('PATCH', `/${id}`, changes) : send('POST', '', part.create);
}

const outcomeOf = ({ status, body }: Json): Json => (status < 400 ? { status } : { status, code: body.code });

function inputOf(random: Random, code = random.pick(CODES)): Json {
  return {
    code,
    name: random.pick(['Lamp', 'Desk']),
    state: random.pick(['NEW', 'NEW', 'NEW', 'SOLD']),
    ...(random.chance(0.5) && { price: random.below(9) }),
    ...(random.chance(0.4) && { shelf: random.pick(['x', 'y']), slot_no: random.below(2) }),
  };
}

function itemOf(random: Random): Item {
  const key = { code: random.pick(CODES) };
  switch (random.below(6)) {
    case 0:
    case 1:
      return { create: { input: inputOf(random) } };
    case 2: {
      const { code: _, ...input } = inputOf(random);
      return { update: { key, input } };
    }
    case 3:
      return { replace: { key, input: inputOf(random) } };
    case 4:
      return { delete: { key } };
    default: {
      const { code: _, ...update } = inputOf(random);
      return { upsert: { key, create: inputOf(random, key.code), ...(random.chance(0.5) && { update }) } };
    }
  }
}

/** Sends random batches to one server and their items, one after the other, to another; compares the answers and the rows. */
export async function compareBatches(database: DatabaseKind, count: number, seed: number): Promise<void> {
  const random = new Random(seed);
  const [whole, single] = [await startService('wares', database), await startService('wares', database)];
  const ends = { success: 0, failure: 0 };
  try {
    for (let i = 0; i < count; i += 1) {
      const mode = random.pick(['ATOMIC', 'EACH']);
      const items = Array.from({ length: 1 + random.below(5) }, () => itemOf(random));
      const before = await rowsOf(single);
      const { status, body } = await whole.request('POST', '/v1/wares/batch', { as, body: { mode, items } });
      const expected: Json[] = [];
      for (const item of items) {
        const one = outcomeOf(await alone(single, item));
        expected.push(one);
        if (mode === 'ATOMIC' && one.code) break;
      }
      const label = `seed ${seed}, batch ${i}: ${JSON.stringify({ mode, items })}`;
      const failed = expected.at(-1);
      if (mode === 'EACH' || !failed.code) {
        ends.success += 1;
        const results = body.data?.map((one: Json) => outcomeOf({ status: one.status, body: one.error }));
        expect([status, results ?? body], label).toEqual([200, expected]);
      } else {
        ends.failure += 1;
        expect([status, body.code], label).toEqual([failed.status, failed.code]);
        expect(body.errors[0].pointer, label).toMatch(new RegExp(`^/items/${expected.length - 1}(/|$)`));
        await restore(single, before);
      }
      expect(shown(await rowsOf(whole)), label).toEqual(shown(await rowsOf(single)));
    }
    expect(Math.min(...Object.values(ends))).toBeGreaterThan(count / 10);
  } finally {
    await whole.close();
    await single.close();
  }
}

/** Makes the rows what they were. */
async function restore(service: Service, rows: ReadonlyMap<string, Json>): Promise<void> {
  for (const { id } of (await rowsOf(service)).values()) await service.request('DELETE', `/v1/wares/${id}`, { as });
  for (const {
    id: _,
    version: __,
    created_at: ___,
    updated_at: ____,
    tenant_id: _____,
    state,
    ...row
  } of rows.values()) {
    const { body } = await service.request('POST', '/v1/wares', { as, body: { ...row, state: 'NEW' } });
    if (state !== 'NEW') await service.request('PATCH', `/v1/wares/${body.id}`, { as, body: { state } });
  }
}
