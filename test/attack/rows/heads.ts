import type { Attack } from '../support/attack.ts';
import { request } from '../support/requests.ts';
import { type Outcome, outcomeOf } from '../support/tally.ts';
import type { Target } from '../support/target.ts';
import { Wire } from '../support/wire.ts';

export const CONNECTIONS = 500;
const MANY = 2_000;
const ADDRESSES = 10;
/** Shorter than a head, so that most chunks end within one. */
const PIECE_BYTES = 1_021;

const PAGE = request('GET', '/');
const UNKNOWN = request('GET', '/x');
const BODY = request('POST', '/graphql', { body: '{"query":"{"}' });
const MESSAGE = request('POST', '/mcp', { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
const MALFORMED = Buffer.from('GET / HTTP/1.1\r\nHost: a b\r\n\r\n');

interface Heads {
  readonly message: Buffer;
  readonly each: number;
  readonly addresses?: number;
  readonly inPieces?: true;
}

/** Many requests on each of many connections, all in one write or in pieces. */
async function sendHeads(target: Target, { message, each, addresses = 1, inPieces }: Heads): Promise<Outcome> {
  const from = Array.from({ length: addresses }, () => target.address());
  const wires = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, i) => Wire.open(target.port, from[i % addresses]!)),
  );
  const statuses = await Promise.all(
    wires.map((wire) => wire.sendTogether(message, each, inPieces ? PIECE_BYTES : undefined)),
  );
  for (const wire of wires) wire.close();
  return outcomeOf(statuses.flat());
}

const attack = (variant: string, heads: Heads): Attack => ({
  row: `p. requests in one write on each of ${CONNECTIONS} connections`,
  variant,
  contract: 'storefront',
  databases: ['SQLite'],
  run: (target) => sendHeads(target, heads),
});

export const heads: readonly Attack[] = [
  attack('16', { message: PAGE, each: 16 }),
  attack('128', { message: PAGE, each: 128 }),
  attack('2,000', { message: PAGE, each: MANY }),
  attack('128, of several addresses', { message: PAGE, each: 128, addresses: ADDRESSES }),
  attack('2,000, of several addresses', { message: PAGE, each: MANY, addresses: ADDRESSES }),
  attack('2,000 in pieces', { message: PAGE, each: MANY, inPieces: true }),
  attack('2,000 for what is not there', { message: UNKNOWN, each: MANY }),
  attack('2,000 for /livez', { message: request('GET', '/livez'), each: MANY }),
  attack('1,000 with bodies', { message: BODY, each: MANY / 2 }),
  attack('1,000 with messages of agents', { message: MESSAGE, each: MANY / 2 }),
  attack('1,000 valid and invalid', { message: Buffer.concat([PAGE, UNKNOWN, MALFORMED]), each: MANY / 2 }),
];
