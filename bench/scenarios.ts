/** What the load is made from; the same for every server. */
export interface Material {
  /** Path of the API: `/v1`. */
  readonly base: string;
  /** Products that exist, as they are before the first write. */
  readonly products: readonly { readonly id: string; readonly version: number }[];
  readonly token: string;
  /** Path and query of a page in the middle of the list, for the scenario that asks for it. */
  readonly deepPage?: string;
}

/** One kind of request. Those that read come before those that change what is read. */
export interface Scenario {
  readonly name: string;
  /** What every answer's status must be. */
  readonly status: number;
  /** The `i`th request, as it goes over the wire. No two have the same `i` in one run. */
  request(material: Material, i: number): string;
}

const JSON_TYPE = 'application/json';
const PATCH_TYPE = 'application/merge-patch+json';

export const scenarios: readonly Scenario[] = [
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
    request: (material, i) =>
      head('GET', productPath(material, i), `If-None-Match: "${productAt(material, i).version}"\r\n`),
  },
  { name: '401', status: 401, request: (material, i) => head('DELETE', productPath(material, i)) },
  {
    name: '404',
    status: 404,
    request: ({ base }, i) =>
      head('GET', `${base}/products/01920000-0000-7000-8000-${(i % 2 ** 32).toString(16).padStart(12, '0')}`),
  },
  {
    name: 'create',
    status: 201,
    request: ({ base, token }, i) =>
      withBody('POST', `${base}/products`, token, JSON_TYPE, {
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
      }),
  },
  {
    name: 'update',
    status: 200,
    request: (material, i) =>
      withBody('PATCH', productPath(material, i), material.token, PATCH_TYPE, { price: 1000 + (i % 9000) }),
  },
];

/** A page far from the first; only on tables that have one. */
export const deepPage: Scenario = {
  name: 'deep page',
  status: 200,
  request: ({ deepPage: target }) => head('GET', target!),
};

/** Walks the products so that neighbours in time are not neighbours in the table. */
function productAt({ products }: Material, i: number): Material['products'][number] {
  return products[(i * 7919) % products.length]!;
}

function productPath(material: Material, i: number): string {
  return `${material.base}/products/${productAt(material, i).id}`;
}

function head(method: string, target: string, fields = ''): string {
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n${fields}\r\n`;
}

function withBody(method: string, target: string, token: string, type: string, value: object): string {
  const body = JSON.stringify(value);
  const fields = `Authorization: Bearer ${token}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${head(method, target, fields)}${body}`;
}
