import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { Random } from '../../../src/tools/random.ts';
import { eventually } from '../../support/eventually.ts';
import { report } from '../support/shop.ts';
import { readFaults } from './check-reads.ts';
import { lastEventFaults, sinceMissed, streamFaults } from './check-streams.ts';
import { logFaults, writeFaults } from './check-writes.ts';
import type { CommitLog } from './commit-log.ts';
import { History, MISSED, type Stream } from './history.ts';
import type { Nemesis } from './nemeses.ts';
import type { Place } from './places.ts';
import type { Scene } from './scene.ts';
import { Subscribers } from './subscribers.ts';
import { Workload } from './workload.ts';

export interface Run {
  readonly place: Pick<Place, 'name' | 'open'>;
  /** They act one after the other. */
  readonly nemeses: readonly Nemesis[];
  /** How long each acts, again and again; once at least. */
  readonly secondsEach: number;
  readonly seed: number;
}

/** Lets clients write, read and listen while nemeses act, and holds all that they have seen against the database's log. */
export async function runHistory({ place, nemeses, secondsEach, seed }: Run): Promise<void> {
  const scene = await place.open();
  const history = new History();
  const workload = new Workload([...scene.instances.values()], history, seed);
  const subscribers = new Subscribers(scene.instances, history);
  const random = new Random(seed);
  const times: Record<string, number> = {};
  try {
    await workload.start();
    for (const nemesis of nemeses) times[nemesis.name] = await trouble(scene, nemesis, secondsEach, random);
    await workload.end();
    // What streams show of a write that is lost would hide it.
    check({ ...history, streams: [] }, await scene.triggers.read());
    await rest(scene, workload, history);
    check(history, await scene.triggers.read());
  } finally {
    report(`histories on ${place.name}, seed ${seed}`, { ...times, ...figures(history) });
    await workload.end();
    await subscribers.end();
    workload.close();
    await scene.close();
  }
}

function check({ attempts, reads, streams, invalid }: History, log: CommitLog): void {
  const faults = {
    invalid,
    log: logFaults(log),
    writes: writeFaults(log, attempts),
    reads: readFaults(log, reads),
    streams: [...streamFaults(log, attempts, streams), ...lastEventFaults(log, streams)],
  };
  expect(faults).toEqual({ invalid: [], log: [], writes: [], reads: [], streams: [] });
}

/** Lets a nemesis act; how often it has. */
async function trouble(scene: Scene, { act }: Nemesis, seconds: number, random: Random): Promise<number> {
  const endMs = performance.now() + seconds * 1_000;
  for (let times = 1; ; times++) {
    await act(scene, random);
    // Most is written, and goes wrong, when it is back.
    await delay(random.integer(1_000, 3_000));
    if (performance.now() > endMs) return times;
  }
}

/** When nothing happens any more, every stream comes to show what every instance writes, all of it, the last at the end. */
async function rest({ instances, triggers }: Scene, workload: Workload, { attempts, reads, streams }: History) {
  const all = [...instances.values()];
  const touchAll = async (): Promise<void> => {
    for (const product of workload.products) for (const instance of all) await workload.touch(product, instance);
  };
  await eventually(async () => {
    await touchAll();
    const log = await triggers.read();
    const hears = (stream: Stream) =>
      new Set(sinceMissed(stream).map(({ body }) => log.at(body.id, body.version)?.writer)).size === all.length;
    const open = streams.filter(({ field, isOpen }) => field === 'productUpdated' && isOpen);
    expect(open.filter(hears)).toHaveLength(2 * all.length);
  });
  await touchAll();
  const before = await triggers.read();
  await eventually(() => expect(streamFaults(before, attempts, streams)).toEqual([]));
  for (const product of workload.products) await workload.touch(product, all[0]!);
  const log = await triggers.read();
  await eventually(() =>
    expect([...streamFaults(log, attempts, streams), ...lastEventFaults(log, streams)]).toEqual([]),
  );
  for (const instance of all) await workload.readAll(instance);
  expect(reads.at(-1)?.body).toBeDefined();
}

function figures({ attempts, reads, streams }: History): Readonly<Record<string, number>> {
  const count = (outcome: string) => attempts.filter((attempt) => attempt.outcome === outcome).length;
  const heard = streams.flatMap((stream) => stream.heard);
  const missed = heard.filter(({ body }) => body === MISSED).length;
  return {
    'writes acknowledged': count('done'),
    refused: count('refused'),
    unknown: count('unknown'),
    reads: reads.length,
    'events heard': heard.length - missed,
    'said to be missed': missed,
    streams: streams.length,
  };
}
