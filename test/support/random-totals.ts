import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Random } from '../../src/tools/random.ts';
import type { DatabaseKind } from './databases.ts';
import { editedContract } from './edited-contract.ts';
import { type As, type Service, startCompiled } from './service.ts';
import type { Json } from './storefront.ts';

const TENANTS = ['elm', 'oak'];
const OWNERS = ['ann', 'bob'];
const SALES_OF_A_SHOP = 30;
const SCOPES: readonly (readonly string[])[] = [[], ['margins:read'], ['shops:all', 'margins:read']];
const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kolkata'];
const GROUPS = ['kind', 'seller_id', 'sold_at_hour', 'sold_at_day', 'sold_at_week', 'sold_at_month', 'due_on_quarter'];
const MEASURES = [
  ...['count', 'amount_sum', 'amount_avg', 'margin_sum', 'margin_max', 'photons_sum', 'photons_max'],
  ...['sold_at_max', 'seller_id_distinct'],
];
const ORDERS = ['kind', '-kind', '-count', '-amount_sum', '-margin_sum', 'sold_at_month'];
/** Around the ends of summer time and of quarters, also far from UTC. */
const INSTANTS = ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', '2026-03-31T23:30:00Z', '2026-04-04T15:00:00Z'];
const RANGE_MS = 7_000_000;

/** The contract of `takings` within tenants: shops have owners, and margins a rule. */
const tenantTakings = () =>
  editedContract('takings', [
    [
      'openapi.yaml',
      'security: [{ bearer: [] }]\n',
      'security: [{ bearer: [] }]\nx-tenant: { property: tenant_id, claim: tenant }\n',
    ],
    ['openapi.yaml', 'owner_id, name]', 'owner_id, tenant_id, name]'],
    [
      'openapi.yaml',
      '        owner_id: { type: string }\n',
      '        owner_id: { type: string }\n        tenant_id: { type: string }\n',
    ],
    ['schema.graphql', '  ownerId: String!\n  name', '  ownerId: String!\n  tenantId: String!\n  name'],
  ]);

interface Shop {
  readonly id: string;
  readonly tenant: string;
  readonly owner: string;
}

interface Caller {
  readonly sub: string;
  readonly tenant: string;
  readonly scopes: readonly string[];
}

const tokenOf = ({ sub, tenant, scopes }: Caller): As => ({ sub, scope: scopes.join(' '), claims: { tenant } });

function saleOf(random: Random): Json {
  const time = Date.parse(random.pick(INSTANTS)) + random.integer(-RANGE_MS, RANGE_MS);
  const photons = random.pick([
    '9223372036854775807',
    '-9223372036854775808',
    String(random.integer(-99, 99)),
    undefined,
  ]);
  const units = random.integer(-99_999, 99_999);
  return {
    kind: random.pick(['cash', 'gift-card']),
    seller_id: random.integer(1, 4),
    amount: random.pick([random.integer(-9, 9), random.integer(-1_000_000, 1_000_000), 2 ** 53 - 1]),
    margin: random.pick([null, (units / 100).toFixed(2), (units / 10_000).toFixed(4), String(units)]),
    ...(photons !== undefined && { photons }),
    sold_at: new Date(time).toISOString(),
    ...(random.chance(0.6) && { due_on: `2026-${random.pick(['01', '03', '04', '12'])}-${random.pick(['01', '30'])}` }),
  };
}

function queryOf(random: Random): Json {
  const groups = random.sample(GROUPS, random.below(4));
  const orders = random.sample(ORDERS, random.below(3)).filter((order, i, all) => {
    const name = order.replace('-', '');
    const isTwice = all.slice(0, i).some((one) => one.replace('-', '') === name);
    return !isTwice && (groups.includes(name) || !GROUPS.includes(name));
  });
  const least = random.integer(-1_000_000, 1_000_000);
  return {
    ...(groups.length > 0 && { group_by: groups }),
    ...(random.chance(0.9) && { measures: random.sample(MEASURES, 1 + random.below(4)) }),
    ...(orders.length > 0 && { sort: orders }),
    ...(random.chance(0.7) && { limit: random.pick([1, 3, 10, 1000]) }),
    ...(random.chance(0.6) && { time_zone: random.pick(ZONES) }),
    ...(random.chance(0.2) && { kind: random.sample(['cash', 'gift-card'], 1 + random.below(2)) }),
    ...(random.chance(0.2) && {
      amount: random.pick([{ gte: least }, { lt: least }, { gte: least, lt: least + 900_000 }]),
    }),
  };
}

const textOf = ({ amount = {}, ...query }: Json): string =>
  [
    ...Object.entries<Json>(query).map(([name, value]) => `${name}=${encodeURIComponent([value].flat().join())}`),
    ...Object.entries<Json>(amount).map(([operator, value]) => `amount[${operator}]=${value}`),
  ].join('&');

/** Makes shops of owners in tenants, with sales. */
async function fill(
  service: Service,
  random: Random,
): Promise<{ readonly shops: readonly Shop[]; readonly sales: readonly Json[] }> {
  const shops: Shop[] = [];
  const sales: Json[] = [];
  for (const tenant of TENANTS)
    for (const owner of OWNERS) {
      const as = tokenOf({ sub: owner, tenant, scopes: ['margins:read'] });
      const { body } = await service.request('POST', '/v1/shops', { as, body: { name: `${owner}'s` } });
      shops.push({ id: body.id, tenant, owner });
      for (let i = 0; i < SALES_OF_A_SHOP; i += 1) {
        const sale = saleOf(random);
        const made = await service.request('POST', `/v1/shops/${body.id}/sales`, { as, body: sale });
        expect(made.status).toBe(201);
        sales.push({ ...sale, shop: body.id });
      }
    }
  return { shops, sales };
}

/** Compares random totals, as callers of tenants, owners and property rules, with those that Python computes of the rows. */
export async function compareTotals(database: DatabaseKind, count: number, seed: number): Promise<void> {
  const service = await startCompiled(await tenantTakings(), database);
  const random = new Random(seed);
  const { shops, sales } = await fill(service, random);
  const questions = Array.from({ length: count }, () => {
    const caller = { sub: random.pick(OWNERS), tenant: random.pick(TENANTS), scopes: random.pick(SCOPES) };
    const own = shops.filter(({ tenant, owner }) => tenant === caller.tenant && owner === caller.sub);
    return { caller, shop: random.pick(random.chance(0.7) ? own : shops), query: queryOf(random) };
  });
  const model = join(import.meta.dirname, 'totals-model.py');
  const input = JSON.stringify({ sales, questions });
  const expected = JSON.parse(execFileSync('python3', [model], { input, encoding: 'utf8' }));
  const statuses = new Map<number, number>();
  for (const [i, { caller, shop, query }] of questions.entries()) {
    const path = `/v1/shops/${shop.id}/sales/totals?${textOf(query)}`;
    const { status, body } = await service.request('GET', path, { as: tokenOf(caller) });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const answered = { status, ...(status === 200 && { body }) };
    expect([caller, query, answered]).toEqual([caller, query, expected[i]]);
  }
  await service.close();
  for (const status of [200, 403, 404]) expect(statuses.get(status), String(status)).toBeGreaterThan(count / 20);
}
