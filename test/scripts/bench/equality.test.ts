import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { checkEquality } from '../../../scripts/bench/equality.ts';
import { scenarios } from '../../../scripts/bench/scenarios.ts';
import { endedByTests } from '../../support/clean-up.ts';

const getOne = scenarios.filter(({ name }) => name === 'get one');
const material = { base: '/v1', products: [{ id: 'mug', version: 1 }], token: '' };

/** The port of a server that answers everything with this body. */
async function serving(body: string): Promise<number> {
  const server = createServer((_, reply) => reply.end(body)).listen(0, '127.0.0.1');
  endedByTests(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const compared = async (left: string, right: string) =>
  checkEquality(getOne, material, [await serving(left), await serving(right)]);

it('takes answers whose keys have another order for equal, at any depth', async () => {
  const answers = await compared('{"a":1,"size":[{"w":1,"h":2}]}', '{"size":[{"h":2,"w":1}],"a":1}');
  expect(answers.get('get one')?.body).toBe('{"a":1,"size":[{"w":1,"h":2}]}');
});

it('reports another value and another order of a list, with what is around it', async () => {
  await expect(compared('{"a":1}', '{"a":2}')).rejects.toThrow(/get one: the servers differ\n.*a\\":1.*\n.*a\\":2/);
  await expect(compared('{"a":[1,2]}', '{"a":[2,1]}')).rejects.toThrow('get one: the servers differ');
});
