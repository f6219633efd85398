import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../scale/support/bare-database.ts';
import { eventually } from '../support/eventually.ts';
import { CHUNKED_BODIES, chunkedBodies } from './rows/chunks.ts';
import { longSubscriptions, MOST_KEPT, SUBSCRIPTIONS } from './rows/frames.ts';
import { CONNECTIONS, heads } from './rows/heads.ts';
import { malformed, PIPELINED, PIPELINES, pipelines } from './rows/pipelines.ts';
import { fillRequests, OTHERS, places } from './rows/places.ts';
import { leaveUnread } from './rows/unread.ts';
import type { Attack } from './support/attack.ts';
import { AttackedServer } from './support/attacked-server.ts';
import { type Dataset, filled } from './support/dataset.ts';
import type { Outcome } from './support/tally.ts';
import { nextNetwork, Target } from './support/target.ts';
import type { Wire } from './support/wire.ts';

const MIB = 2 ** 20;
/** The first of each connection, as many behind them as may wait on all, and the two after which parsing ends. */
const MOST_HEADS = 3 * CONNECTIONS + 512;
const ROWS = 100;
const CHUNKS = 5_000;
/** A thousand chunks may be of any size. */
const MOST_PARTS = 1_050;
/** Refusals that there is time for in one turn. */
const MOST_REFUSED = 1_000;
/** Answers that nobody reads. */
const UNREAD = 12;
/** Of CPU, between two looks at a server that has nothing to do. */
const IDLE_MS = 5;
/** What one caller may leave of its answers, in characters. */
const MOST_UNSENT = 64 * MIB;

describe.runIf(process.platform === 'linux')('of what one caller sends in great numbers', () => {
  let dataset: Dataset;
  let server: AttackedServer;
  let target: Target;

  beforeAll(async () => {
    dataset = await filled(databaseKinds[0]!, 'storefront', ROWS);
    server = await AttackedServer.start('storefront', dataset);
    target = new Target({ port: server.port, network: nextNetwork(), rows: ROWS });
  });
  afterAll(async () => {
    await server?.close();
    await dataset.close();
  });

  const named = (attacks: readonly Attack[]) => attacks.map((attack) => [attack.variant, attack] as const);

  const answersTo = async (attack: Attack): Promise<Outcome> => {
    await server.work();
    return attack.run(target);
  };

  it.each(named(chunkedBodies(CHUNKS)))('a body in chunks of a byte (%s) is not read to its end', async (_, attack) => {
    const outcome = await answersTo(attack);
    const { mostParts } = await server.work();
    expect(outcome.attack['413'] ?? 0).toBeGreaterThan(CHUNKED_BODIES / 2);
    expect(mostParts).toBeLessThanOrEqual(MOST_PARTS);
  });

  it.each(named(pipelines))('few of thousands of pipelined requests (%s) are answered', async (_, attack) => {
    const outcome = await answersTo(attack);
    expect(outcome.attack['0'] ?? 0).toBeGreaterThan((PIPELINES * PIPELINED) / 2);
  });

  it.each(named(heads))(
    'of many requests in one write (%s), few are parsed, kept and answered in a turn',
    async (_, attack) => {
      const { attack: answers } = await answersTo(attack);
      const { mostHeadsATurn, mostKept, mostWritesATurn } = await server.work();
      expect(answers['0'] ?? 0).toBeGreaterThan(0);
      expect(mostHeadsATurn).toBeLessThanOrEqual(MOST_HEADS);
      expect(mostKept).toBeLessThanOrEqual(MOST_HEADS);
      expect(mostWritesATurn).toBeLessThanOrEqual(MOST_HEADS);
    },
  );

  it.each(named(malformed))('few of many malformed requests (%s) are refused in one turn', async (_, attack) => {
    const outcome = await answersTo(attack);
    const { mostWritesATurn } = await server.work();
    expect(outcome.attack['400'] ?? 0).toBeGreaterThan(0);
    expect(mostWritesATurn).toBeLessThan(MOST_REFUSED);
  });

  it('requests leave places for others', async () => {
    const { attack, others } = await fillRequests(target, (send) => server.stoppedFor(send));
    expect(attack['503'] ?? 0).toBeGreaterThan(0);
    expect(others).toEqual({ 200: OTHERS });
  });

  it('bodies on their way leave bytes for others', async () => {
    const { attack, others } = await answersTo(places.bodies);
    expect(attack['503'] ?? 0).toBeGreaterThan(0);
    expect(others).not.toHaveProperty('503');
  });

  it('frames that wait leave bytes for others', async () => {
    const { others } = await answersTo(places.frames);
    expect(others).toEqual({ VALIDATION_FAILED: 1 });
  });

  it('few long subscriptions are kept', async () => {
    const { attack } = await answersTo(longSubscriptions);
    expect(attack['LIMIT_EXCEEDED'] ?? 0).toBeGreaterThanOrEqual(SUBSCRIPTIONS - MOST_KEPT);
  });

  it.each([
    ['are not read', { connections: UNREAD, pipelined: 1 }],
    ['wait behind others that are not read', { connections: 2, pipelined: UNREAD / 2 }],
  ])('few answers are kept that %s', async (_, unread) => {
    let most = 0;
    await server.work();
    const begun = (wires: readonly Wire[]) =>
      eventually(async () => {
        const { mostUnsent, mainMs } = await server.work();
        most = Math.max(most, mostUnsent);
        expect(wires.every((wire) => wire.bytesRead > 0)).toBe(true);
        expect(mainMs).toBeLessThan(IDLE_MS);
      });
    const outcome = await leaveUnread(target, unread, begun);
    expect(outcome.attack['0'] ?? 0).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(MOST_UNSENT);
  });
});
