import { graphqlReads, graphqlWrites } from './graphql-scenarios.ts';
import { head, JSON_TYPE, PATCH_TYPE, withBody } from './request-text.ts';
import { productAt, productPath, type Scenario } from './scenario.ts';
import { toolReads } from './tool-scenarios.ts';

const reads: readonly Scenario[] = [
  { name: 'get one', status: 200, request: (material, i) => head('GET', productPath(material, i)) },
  { name: 'list 20', status: 200, request: ({ base }) => head('GET', `${base}/products`) },
  {
    name: 'filtered and sorted list',
    status: 200,
    request: ({ base }) =>
      head('GET', `${base}/products?status=ACTIVE&price[gte]=1000&price[lte]=5000&sort=-price&limit=20`),
  },
  {
    name: '304',
    status: 304,
    request: (material, i) => {
      const { version } = productAt(material, i);
      return head('GET', productPath(material, i), `If-None-Match: "${version}${material.form ?? ''}"\r\n`);
    },
  },
  { name: '401', status: 401, request: (material, i) => head('DELETE', productPath(material, i)) },
  {
    name: '404',
    status: 404,
    request: ({ base }, i) =>
      head('GET', `${base}/products/01920000-0000-7000-8000-${(i % 2 ** 32).toString(16).padStart(12, '0')}`),
  },
];

const mug = (i: number): object => ({
  sku: `BENCH-${i.toString(36).toUpperCase()}`,
  name: 'Blue mug, 350 ml',
  description: 'Stoneware, glazed by hand.',
  price: 1999,
  currency: 'EUR',
  taxRate: '0.19',
  stock: 120,
  tags: ['kitchen', 'stoneware'],
  delivery: {
    kind: 'PHYSICAL',
    weightGrams: 410,
    dimensions: { lengthMm: 120, widthMm: 90, heightMm: 100 },
  },
});

const writes: readonly Scenario[] = [
  {
    name: 'create',
    status: 201,
    request: ({ base, token }, i) => withBody('POST', `${base}/products`, token, JSON_TYPE, mug(i)),
  },
  {
    name: 'update',
    status: 200,
    request: (material, i) =>
      withBody('PATCH', productPath(material, i), material.token, PATCH_TYPE, { price: 1000 + (i % 9000) }),
  },
];

/** Rows of a batch. */
export const BATCH_SIZE = 100;

/** As many creates in one transaction; it is compared with creates alone. */
export const batchedCreates: Scenario = {
  name: 'batched creates',
  status: 200,
  isOwn: true,
  request({ base, token }, i) {
    const rows = Array.from({ length: BATCH_SIZE }, (_, at) => ({
      create: { input: { ...mug(i), sku: `BATCH-${i.toString(36).toUpperCase()}-${at}` } },
    }));
    return withBody('POST', `${base}/products/batch`, token, JSON_TYPE, { items: rows });
  },
};

export const scenarios: readonly Scenario[] = [...reads, ...graphqlReads, ...toolReads, ...writes, ...graphqlWrites];

/** The same page repeatedly, for a server that caches pages; for others it is the same as `list 20`. */
export const cachedList: Scenario = {
  name: 'cached list',
  status: 200,
  request: ({ base }) => head('GET', `${base}/products`),
};

/** A page far from the first one; only for tables that are large enough. */
export const deepPage: Scenario = {
  name: 'deep page',
  status: 200,
  request: ({ deepPage: target }) => head('GET', target!),
};
