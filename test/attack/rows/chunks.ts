import type { Attack } from '../support/attack.ts';
import { flood } from '../support/flood.ts';
import { request } from '../support/requests.ts';
import { outcomeOf } from '../support/tally.ts';

const ROW = 'l. 60 bodies in chunks of a byte';
export const CHUNKED_BODIES = 60;

/** A request whose body comes in so many chunks of a byte. */
function inChunks(method: string, path: string, chunks: number, token?: string): Buffer {
  const fields = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
  return Buffer.concat([
    request(method, path, { token, fields }),
    Buffer.from(`${'1\r\n \r\n'.repeat(chunks)}0\r\n\r\n`),
  ]);
}

const attack = (variant: string, method: string, path: string, chunks: number): Attack => ({
  row: ROW,
  variant,
  contract: 'storefront',
  databases: ['SQLite'],
  async run(target) {
    const message = inChunks(method, path, chunks, path === '/graphql' ? undefined : target.token('orders:write'));
    const requests = Array.from({ length: CHUNKED_BODIES }, () => message);
    return outcomeOf(await flood(target, requests, { connections: CHUNKED_BODIES }));
  },
});

export const chunkedBodies = (chunks: number): readonly Attack[] => [
  attack('to /graphql', 'POST', '/graphql', chunks),
  attack('to /mcp', 'POST', '/mcp', chunks),
  attack('of a customer', 'POST', '/v1/orders', chunks),
  attack('with a read', 'GET', '/v1/products', chunks),
];
