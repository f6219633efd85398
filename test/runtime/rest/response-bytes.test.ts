import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openZoo, operations, type Zoo } from './support/zoo.ts';

let zoo: Zoo;
let text = '';

beforeAll(async () => {
  zoo = await openZoo({ operations: { ...operations, getPoint: () => ({ status: 200, body: text }) } });
  await zoo.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => zoo.app.close());

test.each([
  ['ASCII', 'plain'],
  ['Latin-1', 'grüße'],
  ['other scripts', '日本語 и 😀'],
  ['a half of a pair', 'a\ud83d'],
])('a text in %s arrives as UTF-8 of the length it says, short or long', async (_, word) => {
  const { port } = zoo.app.server.address() as AddressInfo;
  for (const times of [1, 1_000, 100_000]) {
    text = word.repeat(times);
    const response = await fetch(`http://127.0.0.1:${port}/v1/points/1,2`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    expect(bytes.equals(Buffer.from(JSON.stringify(text)))).toBe(true);
  }
});
