import type { Attack } from '../support/attack.ts';
import { contracts } from '../support/contracts.ts';
import { request } from '../support/requests.ts';
import { type Outcome, outcomeOf } from '../support/tally.ts';
import type { Target } from '../support/target.ts';
import { Wire } from '../support/wire.ts';

export const PIPELINES = 10;
export const PIPELINED = 1_500;
/** What one address has in a minute. */
const ALLOWED = 300;

const READ = request('GET', contracts.storefront.read);

/** Thousands of requests on a few connections of one address. */
async function pipeline(target: Target, message: Buffer, before: number): Promise<Outcome> {
  const address = target.address();
  const [first] = await Wire.severalOf(1, target.port, address);
  // In pieces that the server takes.
  for (let sent = 0; sent < before; sent += 100) await first!.sendTogether(message, 100);
  first!.close();
  const wires = await Wire.severalOf(PIPELINES, target.port, address);
  const statuses = await Promise.all(wires.map((wire) => wire.sendTogether(message, PIPELINED)));
  for (const wire of wires) wire.close();
  return outcomeOf(statuses.flat());
}

const attack = (variant: string, message: Buffer, before = 0): Attack => ({
  row: `m. ${PIPELINES} × ${PIPELINED} pipelined requests`,
  variant,
  contract: 'storefront',
  databases: ['SQLite'],
  run: (target) => pipeline(target, message, before),
});

export const pipelines: readonly Attack[] = [
  attack('/livez', request('GET', '/livez')),
  attack('/readyz', request('GET', '/readyz')),
  attack('what is not there', request('GET', '/x')),
  attack('more than the caller has in a minute', READ, ALLOWED),
];

/** What the parser refuses, or the server itself. */
const MALFORMED: Readonly<Record<string, string>> = {
  'a host with a space': 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
  'a field without a name': 'GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n',
  'no HTTP': 'a\r\n\r\n',
};

/** Each on a connection of its own. */
export const malformed: readonly Attack[] = Object.entries(MALFORMED).map(([variant, text]) => ({
  row: 'n. 2,000 malformed requests at once',
  variant,
  contract: 'storefront',
  databases: ['SQLite'],
  async run(target) {
    const wires = await Wire.severalOf(2_000, target.port, target.address());
    const replies = await Promise.all(wires.map((wire) => wire.send(text)));
    for (const wire of wires) wire.close();
    return outcomeOf(replies.map(({ status }) => status));
  },
}));
