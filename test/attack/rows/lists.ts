import { setTimeout as delay } from 'node:timers/promises';
import { idOf } from '../../scale/support/sql-words.ts';
import { tokenOf } from '../../support/instance.ts';
import type { Attack } from '../support/attack.ts';
import type { ContractName, ParentalContract } from '../support/contracts.ts';
import { request } from '../support/requests.ts';
import { type Outcome, outcomeOf } from '../support/tally.ts';
import type { Target } from '../support/target.ts';
import { Wire } from '../support/wire.ts';

/** A request that asks for about the same each time, but never twice for the same, so that no answer is kept. */
export type AskFor = (i: number, rows: number) => Buffer;

/** Of each caller. */
const MOST_ASKS = 100;

const PRODUCT = '00000001-0000-7000-8000-000000000001';
const BOX = '00000002-0000-7000-8000-000000000001';

const graphql = (query: string): Buffer => request('POST', '/graphql', { body: JSON.stringify({ query }) });
const GROUP = '00000002-0000-7000-8000-000000000001';
const filter = (value: object): string => encodeURIComponent(JSON.stringify(value));

/** What has been written since the middle of the table, and a little more each time. */
const since = (i: number, rows: number): string =>
  new Date((1_700_000_000 + Math.floor(rows / 2) + i) * 1_000).toISOString();
const above = (i: number, rows: number): number => Math.floor(rows / 2) + i;

/** Lists below the parent of most rows: what is filtered out comes first in their order. */
export const LISTS: Readonly<Record<string, readonly [ParentalContract, AskFor]>> = {
  'a list over REST': [
    'storefront',
    (i, rows) => request('GET', `/v1/products/${PRODUCT}/reviews?createdAt[gte]=${since(i, rows)}&sort=rating`),
  ],
  'a list nested over GraphQL': [
    'storefront',
    (i, rows) =>
      graphql(
        `{ product(id: "${PRODUCT}") { reviews(filter: {createdAt: {gte: "${since(i, rows)}"}}, sort: [RATING_ASC]) { nodes { id } } } }`,
      ),
  ],
  'a list counted, over REST': [
    'storefront',
    (i, rows) => request('GET', `/v1/products/${PRODUCT}/reviews?createdAt[gte]=${since(i, rows)}&count=true`),
  ],
  'a list counted, nested over GraphQL': [
    'storefront',
    (i, rows) =>
      graphql(
        `{ products(first: 3) { nodes { reviews(first: 1, filter: {createdAt: {gte: "${since(i, rows)}"}}) { totalCount } } } }`,
      ),
  ],
  'a list in another order, over REST': [
    'archive',
    (i, rows) =>
      request('GET', `/v1/boxes/${BOX}/records?filter=${filter({ size: { lt: above(i, rows) } })}&sort=title`),
  ],
  'a list in another order, nested over GraphQL': [
    'archive',
    (i, rows) =>
      graphql(
        `{ boxes(first: 2) { nodes { records(filter: {size: {lt: ${above(i, rows)}}}, sort: [TITLE_ASC]) { nodes { id } } } } }`,
      ),
  ],
};

const never = (i: number): object => ({
  and: [{ size: { gte: i } }, { title: { lt: 'A' } }, { size: { lt: 999_999_999 } }],
});

/** A list of a whole table, which is read beside the others. */
export const WHOLE_LIST: AskFor = (i, rows) => request('GET', `/v1/keepers?createdAt[gte]=${since(i, rows)}&sort=name`);

/** The same, several times as dear. */
const DEAREST_LIST: AskFor = (i) =>
  request('GET', `/v1/keepers?filter=${filter({ records: { some: never(i) } })}&sort=name`);

/** Pages of the same lists that an index serves. */
export const SERVED: Readonly<Record<ParentalContract, AskFor>> = {
  storefront: (i, rows) =>
    request('GET', `/v1/products/${PRODUCT}/reviews?createdAt[gte]=${since(i, rows)}&sort=createdAt`),
  archive: (i, rows) =>
    request('GET', `/v1/boxes/${BOX}/records?filter=${filter({ size: { gte: above(i, rows) } })}&sort=size`),
};

export const SUMMARIES: Readonly<Record<string, readonly [ParentalContract, AskFor]>> = {
  'a summary over REST': ['storefront', () => request('GET', `/v1/products/${PRODUCT}/rating-summary`)],
  'summaries over GraphQL': [
    'storefront',
    () => graphql('{ products(first: 10) { nodes { ratingSummary { count } } } }'),
  ],
};

const MEASURES = 'count,totalSum,totalAvg,totalMin,totalMax,createdAtMin,createdAtMax,userIdDistinct';

/** Totals of all orders, asked for as somebody who sees them. */
const totals = (i: number, query: string): Buffer =>
  request('GET', `/v1/orders/totals?measures=${MEASURES}&createdAt[gte]=${new Date(i * 1_000).toISOString()}${query}`, {
    token: tokenOf({ subject: idOf(9, Math.floor(i / MOST_ASKS)), scope: 'orders:admin' }),
  });

export const TOTALS: Readonly<Record<string, readonly [ParentalContract, AskFor]>> = {
  'totals of one group': ['storefront', (i) => totals(i, '')],
  'totals of as many groups as rows': [
    'storefront',
    (i) => totals(i, '&groupBy=userId,createdAtDay,status&sort=-totalSum&limit=1000&timeZone=America/St_Johns'),
  ],
};

/** A value as a literal of GraphQL. */
const inGraphql = (value: object): string => JSON.stringify(value).replaceAll(/"(\w+)":/g, '$1: ');

/** Asks for it as somebody who sees everything. */
const member = (i: number, query: string): Buffer =>
  request('POST', '/graphql', {
    token: tokenOf({ subject: idOf(9, Math.floor(i / MOST_ASKS)), scope: 'club:see' }),
    body: JSON.stringify({ query }),
  });
const labelled = (i: number): string => `x${i}: `;

/** Lists through joining rows, below each other: the first has all rows. */
const JOINED: Readonly<Record<string, readonly [ContractName, AskFor]>> = {
  'two levels': [
    'club',
    (i) =>
      member(i, `{ ${labelled(i)}group(id: "${GROUP}") { people(first: 20) { nodes { groups { nodes { id } } } } } }`),
  ],
  'two levels in another order': [
    'club',
    (i) =>
      member(
        i,
        `{ ${labelled(i)}group(id: "${GROUP}") { people(first: 20, sort: [NAME_ASC]) { nodes { groups(sort: [NAME_DESC]) { nodes { id } } } } } }`,
      ),
  ],
  'three levels': [
    'club',
    (i) =>
      member(
        i,
        `{ ${labelled(i)}groups(first: 3) { nodes { people(first: 10, sort: [NAME_ASC]) { nodes { groups(first: 5) { nodes { id } } followers(first: 5, sort: [NAME_ASC]) { nodes { id } } } } } } }`,
      ),
  ],
  'counted, three levels': [
    'club',
    (i) =>
      member(
        i,
        `{ ${labelled(i)}groups(first: 3) { nodes { people(first: 10) { nodes { followers(first: 1) { totalCount } groups(first: 1) { totalCount } } } } } }`,
      ),
  ],
};

export const COMBINED: Readonly<Record<string, readonly [ParentalContract, AskFor]>> = {
  'rows of rows': ['archive', (i) => request('GET', `/v1/boxes?filter=${filter({ records: { some: never(i) } })}`)],
  'alternatives of rows of rows': [
    'archive',
    (i) =>
      request(
        'GET',
        `/v1/boxes?filter=${filter({ or: Array.from({ length: 12 }, (_, n) => ({ records: { some: never(i + n) } })) })}&sort=-label`,
      ),
  ],
  'rows of rows, over GraphQL': [
    'archive',
    (i) => graphql(`{ boxes(filter: {records: {some: ${inGraphql(never(i))}}}) { nodes { id } } }`),
  ],
  'a negation below a parent': [
    'archive',
    (i) =>
      request(
        'GET',
        `/v1/boxes/${BOX}/records?filter=${filter({ not: { or: [{ size: { gte: 0 } }, { title: { lt: `A${i}` } }] } })}&sort=-title`,
      ),
  ],
};

const FOR_MS = 5_000;

/** Callers of addresses of their own that ask again as soon as they are answered. */
function callers(
  row: string,
  count: number,
  asked: Readonly<Record<string, readonly [ContractName, AskFor]>>,
): readonly Attack[] {
  return Object.entries(asked).map(([variant, [contract, ask]]) => ({
    row,
    variant,
    contract,
    async run(target) {
      const until = performance.now() + FOR_MS;
      const statuses = await Promise.all(
        Array.from({ length: count }, async (_, caller) => {
          const wire = await Wire.open(target.port, target.address());
          const own: number[] = [];
          while (performance.now() < until && own.length < MOST_ASKS)
            own.push((await wire.send(ask(caller * MOST_ASKS + own.length, target.rows))).status);
          wire.close();
          return own;
        }),
      );
      return outcomeOf(statuses.flat());
    },
  }));
}

const PER_SECOND = 5;
const SECONDS = 20;
const OTHERS = 4;

/** One caller who does not wait for answers, and others who ask for the same now and then. */
async function askSelfishly(target: Target): Promise<Outcome> {
  const askOnce = async (address: string, i: number): Promise<number> => {
    const wire = await Wire.open(target.port, address);
    const { status } = await wire.send(DEAREST_LIST(i, target.rows));
    wire.close();
    return status;
  };
  const address = target.address();
  const others = Array.from({ length: OTHERS }, () => target.address());
  const asked = { own: [] as Promise<number>[], others: [] as Promise<number>[] };
  for (let i = 0; i < PER_SECOND * SECONDS; i++) {
    asked.own.push(askOnce(address, i));
    if (i % PER_SECOND === 0) asked.others.push(askOnce(others[(i / PER_SECOND) % OTHERS]!, PER_SECOND * SECONDS + i));
    await delay(1_000 / PER_SECOND);
  }
  return outcomeOf(await Promise.all(asked.own), await Promise.all(asked.others));
}

export const dearLists: readonly Attack[] = callers('e. 12 callers of a list below a large parent', 12, LISTS);
export const joinedLists: readonly Attack[] = callers('e. 12 callers of nested lists through a join', 12, JOINED);
export const summaries: readonly Attack[] = callers('f. 4 callers of a summary of many rows', 4, SUMMARIES);
export const combinedFilters: readonly Attack[] = callers('g. 4 callers of combined filters', 4, COMBINED);
export const selfishCallers: readonly Attack[] = [
  {
    row: 'j. five dear queries a second from one caller',
    variant: 'who does not wait for answers',
    contract: 'archive',
    run: askSelfishly,
  },
];
