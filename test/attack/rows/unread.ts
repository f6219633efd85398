import { setTimeout as delay } from 'node:timers/promises';
import type { Attack } from '../support/attack.ts';
import { request } from '../support/requests.ts';
import { type Outcome, outcomeOf } from '../support/tally.ts';
import type { Target } from '../support/target.ts';
import { Wire } from '../support/wire.ts';

const REVIEWS = 'product(id: "00000001-0000-7000-8000-000000000005") { reviews(first: 100) { nodes { body } } }';
const PAGES = 9;
const HELD_MS = 8_000;

/** About as much as one answer may have: 9 million characters. */
const largeAnswer = request('POST', '/graphql', {
  body: JSON.stringify({ query: `{ ${Array.from({ length: PAGES }, (_, i) => `a${i}: ${REVIEWS}`).join(' ')} }` }),
});

export interface Unread {
  readonly connections: number;
  /** Requests that each of them sends at once. */
  readonly pipelined: number;
}

/** Nothing of the answers is read until `held` resolves. */
export async function leaveUnread(
  target: Target,
  { connections, pipelined }: Unread,
  held: (wires: readonly Wire[]) => Promise<unknown>,
): Promise<Outcome> {
  const wires = await Wire.severalOf(connections, target.port, target.address());
  for (const wire of wires) wire.pause();
  const answers = wires.map((wire) => wire.sendTogether(largeAnswer, pipelined));
  await held(wires);
  for (const wire of wires) wire.resume();
  const statuses = (await Promise.all(answers)).flat();
  for (const wire of wires) wire.close();
  return outcomeOf(statuses);
}

export const unreadAnswers: readonly Attack[] = [
  {
    row: 'p. answers that nobody reads',
    variant: 'on 40 connections',
    contract: 'storefront',
    databases: ['SQLite'],
    run: (target) => leaveUnread(target, { connections: 40, pipelined: 1 }, () => delay(HELD_MS)),
  },
];
