import { setTimeout as delay } from 'node:timers/promises';
import type { Attack } from '../support/attack.ts';
import { request } from '../support/requests.ts';
import { outcomeOf } from '../support/tally.ts';
import type { Target } from '../support/target.ts';
import { Wire } from '../support/wire.ts';

const ROW = 'h. 500 slow bodies from two addresses';
const BODIES = 500;
/** They have ten seconds to arrive. */
const HELD_MS = 8_000;
const BYTE_EVERY_MS = 500;

export interface SlowBodies {
  readonly wires: readonly Wire[];
  /** Statuses so far. */
  readonly statuses: readonly number[];
}

/** Requests of which a part of the body is missing. */
export async function beginSlowBodies(
  target: Target,
  count: number,
  head: (i: number) => Buffer,
  begun = '{',
): Promise<SlowBodies> {
  const addresses = [target.address(), target.address()];
  const statuses: number[] = [];
  const begin = async (i: number): Promise<Wire> => {
    const wire = await Wire.open(target.port, addresses[i % addresses.length]!);
    void wire.send(Buffer.concat([head(i), Buffer.from(begun)])).then(({ status }) => statuses.push(status));
    return wire;
  };
  return { wires: await Promise.all(Array.from({ length: count }, (_, i) => begin(i))), statuses };
}

type Head = (target: Target) => (i: number) => Buffer;

function attack(variant: string, head: Head, begun = '{'): Attack {
  return {
    row: ROW,
    variant,
    contract: 'storefront',
    databases: ['SQLite'],
    async run(target) {
      const { wires, statuses } = await beginSlowBodies(target, BODIES, head(target), begun);
      for (let ms = 0; ms < HELD_MS; ms += BYTE_EVERY_MS) {
        await delay(BYTE_EVERY_MS);
        for (const wire of wires) if (wire.isOpen) wire.write(' ');
      }
      const answers = [...statuses];
      for (const wire of wires) wire.close();
      return outcomeOf(answers);
    },
  };
}

const json = { 'Content-Type': 'application/json' };

export const slowHead = request('POST', '/graphql', { fields: { ...json, 'Content-Length': '1000' } });

export const slowBodies: readonly Attack[] = [
  attack('to /graphql', () => () => slowHead),
  attack('to /mcp', () => () => request('POST', '/mcp', { fields: { ...json, 'Content-Length': '1000' } })),
  attack(
    'chunked',
    () => () => request('POST', '/graphql', { fields: { ...json, 'Transfer-Encoding': 'chunked' } }),
    '1000\r\n{',
  ),
  attack(
    'of 1 MiB, all but a byte',
    () => () => request('POST', '/graphql', { fields: { ...json, 'Content-Length': '200001' } }),
    `{"a":"${'x'.repeat(199_980)}`,
  ),
  attack('of customers', (target) => {
    const tokens = Array.from({ length: 50 }, () => target.token('orders:write'));
    return (i) =>
      request('POST', '/v1/orders', {
        token: tokens[i % tokens.length],
        fields: { ...json, 'Content-Length': '1000' },
      });
  }),
];
