import { tokenOf } from '../../support/instance.ts';
import type { Json } from '../../support/storefront.ts';
import { admin, customer } from '../../support/storefront.ts';
import type { Answer, Asked, Client } from './client.ts';

export const adminToken = await tokenOf(admin);
export const customerToken = await tokenOf(customer);

export const json = ({ text }: Answer): Json => JSON.parse(text);

let made = 0;

export const productInput = (values: object = {}): object => ({
  sku: `FAULT-${process.pid}-${++made}`,
  name: 'Blue mug',
  price: 1999,
  currency: 'EUR',
  stock: 10,
  delivery: { kind: 'PHYSICAL', weightGrams: 410 },
  ...values,
});

/** What must succeed. */
export async function must(client: Client, method: string, url: string, asked: Asked = {}): Promise<Json> {
  const answer = await client.send(method, url, asked);
  if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.status} ${answer.text}`);
  return answer.text === '' ? undefined : json(answer);
}

/** The customer, who may then order. */
export function addCustomer(client: Client, base: string): Promise<Json> {
  const body = { email: 'ada@example.com', name: 'Ada Lovelace' };
  return must(client, 'POST', `${base}/users`, { token: customerToken, body });
}

export async function activeProduct(client: Client, base: string, values: object = {}): Promise<Json> {
  const { id } = await must(client, 'POST', `${base}/products`, { token: adminToken, body: productInput(values) });
  return must(client, 'PATCH', `${base}/products/${id}`, { token: adminToken, body: { status: 'ACTIVE' } });
}

/** All rows of a list, page by page. */
export async function all(client: Client, url: string, token?: string): Promise<Json[]> {
  const rows: Json[] = [];
  const separator = url.includes('?') ? '&' : '?';
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, page } = await must(client, 'GET', `${url}${separator}limit=100${cursor && `&cursor=${cursor}`}`, {
      token,
    });
    rows.push(...data);
    cursor = page.nextCursor;
  }
  return rows;
}

/** Whether an answer is one that a caller can work with: success, or a refusal of the catalogue. */
export function isValid({ status, headers, text }: Answer): boolean {
  if (status < 300) return true;
  const { code, status: stated } = JSON.parse(text);
  return (
    /^application\/problem\+json/.test(String(headers['content-type'])) && stated === status && typeof code === 'string'
  );
}

/** `count` times, so many at once. */
export async function times<T>(count: number, atOnce: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < count) {
      const i = next++;
      results[i] = await work(i);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  return results;
}

export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

/** Figures worth knowing, printed with the test that found them. */
export function report(what: string, figures: Readonly<Record<string, number | string>>): void {
  const parts = Object.entries(figures).map(([name, value]) => {
    return `${name} ${typeof value === 'number' ? Math.round(value * 100) / 100 : value}`;
  });
  console.log(`${what}: ${parts.join(', ')}`);
}
