import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ChangeNotification, PeerListener, Peers } from '../../../src/runtime/engine/events/peers.ts';
import { Hub, type Member } from '../../../src/runtime/workers/hub.ts';
import type { FromWorker, ToWorker } from '../../../src/runtime/workers/messages.ts';
import { WorkerPeers } from '../../../src/runtime/workers/worker-peers.ts';

/** Other instances, whose channels are heard at once, or when a test says so. */
class Others implements Peers {
  isConnected = true;
  heard: Promise<void> | undefined;
  readonly published: ChangeNotification[] = [];
  missed = 0;
  followed = 0;
  listener: PeerListener | undefined;

  publish(notification: ChangeNotification): undefined {
    this.published.push(notification);
  }
  announceMissedEvents(): void {
    this.missed++;
  }
  listen(listener: PeerListener): void {
    this.listener = listener;
  }
  follow() {
    this.followed++;
    return { heard: this.heard, release: () => void this.followed-- };
  }
  epochOf(): number {
    return 1;
  }
}

/** A worker, whose messages to the hub may be held back. */
class Worker implements Member {
  readonly peers: WorkerPeers;
  readonly heard: string[] = [];
  /** Messages that have gone either way. */
  sent = 0;
  #held: FromWorker[] | undefined;
  readonly #hub: Hub;

  constructor(hub: Hub, hasOthers: boolean) {
    this.#hub = hub;
    this.peers = new WorkerPeers({
      hasOthers,
      post: (message) => {
        this.sent++;
        if (this.#held) this.#held.push(message);
        else queueMicrotask(() => hub.receive(this, message));
      },
    });
    this.peers.listen({
      onNotification: ({ stale, changes }) =>
        this.heard.push(...stale.map((key) => `stale ${key}`), ...changes.map(({ row }) => row.join(' '))),
      onMissedEvents: (resource) => this.heard.push(`missed ${resource ?? 'any'}`),
    });
    hub.join(this);
    this.heard.length = 0;
  }

  post(message: ToWorker): void {
    this.sent++;
    queueMicrotask(() => this.peers.receive(message));
  }

  hold(): void {
    this.#held = [];
  }

  letGo(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const message of held) this.#hub.receive(this, message);
  }

  /** A transaction that has its locks, up to its commit; what it returns is the rest. */
  async write(version: number, id = 'a'): Promise<() => Promise<void> | undefined> {
    const place = this.peers.order.place();
    place.add(`things ${id}`);
    await place.taken?.();
    const change = { resource: 'things', kind: 'updated', row: [id, version], ancestors: [] } as const;
    return () => this.peers.publish({ stale: ['things'], changes: [change] }, place);
  }
}

describe('the workers of an instance', () => {
  let hub: Hub;
  let workers: [Worker, Worker, Worker];

  const settle = async () => {
    for (let i = 0; i < 5; i++) await nextTurn();
  };
  const eventsIn = ({ heard }: Worker) => heard.filter((one) => /^[ab] /.test(one));

  beforeEach(async () => {
    hub = new Hub();
    workers = [new Worker(hub, false), new Worker(hub, false), new Worker(hub, false)];
    await settle();
    for (const { heard } of workers) heard.length = 0;
  });

  it('hear all of what a large transaction has changed', async () => {
    const [one, , third] = workers;
    await third.peers.follow('things', undefined).heard;
    const ids = Array.from({ length: 1_100 }, (_, i) => i);
    const changes = ids.map((id) => ({ resource: 'things', kind: 'created', row: [id], ancestors: [] }) as const);
    void one.peers.publish({ stale: ['things'], changes }, one.peers.order.place());
    await settle();
    expect(third.heard).toEqual(ids.map(String));
    expect(one.heard).toEqual(['stale things', ...ids.map(String)]);
  });

  it('say nothing to each other of what nobody follows', async () => {
    await settle();
    const before = workers.map(({ sent }) => sent);
    const publish = await workers[0].write(1);
    expect(publish()).toBeUndefined();
    await settle();
    expect(workers.map(({ sent }) => sent)).toEqual(before);
  });

  it('hear what each of them changes, once they follow it, each once', async () => {
    const [one, other, third] = workers;
    await third.peers.follow('things', undefined).heard;
    await one.peers.follow('things', undefined).heard;
    (await one.write(1))();
    (await other.write(2))();
    await settle();
    expect([eventsIn(one), eventsIn(other), eventsIn(third)]).toEqual([['a 1', 'a 2'], ['a 2'], ['a 1', 'a 2']]);
  });

  it('hear the events of a row in the order of its versions, whoever is late to publish', async () => {
    const [one, other, third] = workers;
    for (const worker of workers) await worker.peers.follow('things', undefined).heard;
    const first = await one.write(1);
    const elsewhere = await one.write(7, 'b');
    const second = await other.write(2);
    const last = await one.write(3);
    void last();
    void second();
    void elsewhere();
    await settle();
    for (const worker of workers) expect(eventsIn(worker)).toEqual(['b 7']);
    void first();
    await settle();
    for (const worker of [one, other, third]) expect(eventsIn(worker)).toEqual(['b 7', 'a 1', 'a 2', 'a 3']);
  });

  it('wait for no transaction that is rolled back, nor for one of a worker that has ended', async () => {
    const [one, other, third] = workers;
    await third.peers.follow('things', undefined).heard;
    const place = one.peers.order.place();
    place.add('things a');
    await place.taken?.();
    const second = await other.write(2);
    void second();
    await settle();
    expect(eventsIn(third)).toEqual([]);
    place.end();
    await settle();
    expect(eventsIn(third)).toEqual(['a 2']);
    await one.write(3);
    const after = await other.write(4);
    hub.leave(one, false);
    void after();
    await settle();
    expect(eventsIn(third)).toEqual(['a 2', 'a 4']);
  });

  it('hear a resource once what is being committed without a place has been published', async () => {
    const [one, , third] = workers;
    const first = await one.write(1);
    let isHeard = false;
    void third.peers.follow('things', undefined).heard?.then(() => {
      isHeard = true;
    });
    await settle();
    expect(isHeard).toBe(false);
    void first();
    await settle();
    expect(isHeard).toBe(true);
    expect(eventsIn(third)).toEqual(['a 1']);
  });

  it('may have missed events when one ends with work unfinished, and not when it has said goodbye', async () => {
    const [one, other, third] = workers;
    hub.leave(one, true);
    await settle();
    expect(third.heard).toEqual([]);
    hub.leave(other, false);
    await settle();
    expect(third.heard).toEqual(['missed any']);
  });

  it('keep no lists, as nobody says what other instances change', async () => {
    await workers[0].peers.follow('things', undefined).heard;
    expect(workers[0].peers.epochOf('things', undefined)).toBeUndefined();
    expect(workers[0].peers.isConnected).toBeUndefined();
  });

  it('that are alone, after the primary has ended, wait for nobody', async () => {
    const [one] = workers;
    await one.peers.follow('things', undefined).heard;
    one.hold();
    const waiting = one.write(1);
    one.peers.lose();
    expect((await waiting)()).toBeUndefined();
    expect(one.heard).toEqual(['missed any', 'stale things', 'a 1']);
  });
});

describe('the workers of an instance that hears others', () => {
  let others: Others;
  let hub: Hub;
  let one: Worker;
  let other: Worker;
  const settle = async () => {
    for (let i = 0; i < 5; i++) await nextTurn();
  };

  beforeEach(async () => {
    others = new Others();
    hub = new Hub(others);
    [one, other] = [new Worker(hub, true), new Worker(hub, true)];
    await settle();
    one.heard.length = 0;
    other.heard.length = 0;
  });

  it('keep lists, and answer a write when no worker has an older one', async () => {
    expect(other.peers.epochOf('things', undefined)).toBeUndefined();
    await settle();
    expect(other.peers.epochOf('things', undefined)).toBeGreaterThan(0);
    other.hold();
    let isAnswered = false;
    const publish = await one.write(1);
    void publish()?.then(() => {
      isAnswered = true;
    });
    await settle();
    expect(other.heard).toContain('stale things');
    expect(isAnswered).toBe(false);
    other.letGo();
    await settle();
    expect(isAnswered).toBe(true);
  });

  it('answer no write later because of a worker that has ended', async () => {
    other.peers.epochOf('things', undefined);
    await settle();
    other.hold();
    const answered = (await one.write(1))();
    expect(answered).toBeInstanceOf(Promise);
    hub.leave(other, false);
    await answered;
  });

  it('keep no lists of what they have followed while the others were away, until the others are heard', async () => {
    const seen = (): (number | undefined)[] => [one, other].map(({ peers }) => peers.epochOf('things', undefined));
    others.isConnected = false;
    others.listener?.onMissedEvents();
    await one.peers.follow('things', undefined).heard;
    const following = other.peers.follow('things', undefined);
    await following.heard;
    const heard = Promise.withResolvers<void>();
    others.heard = heard.promise;
    others.isConnected = true;
    others.listener?.onMissedEvents();
    await settle();
    expect(seen()).toEqual([undefined, undefined]);
    let isHeard = false;
    void one.peers.follow('things', undefined).heard?.then(() => {
      isHeard = true;
    });
    await settle();
    expect(isHeard).toBe(false);
    heard.resolve();
    await settle();
    expect(isHeard).toBe(true);
    expect(seen()).toEqual([expect.any(Number), expect.any(Number)]);
    expect(others.followed).toBe(2);
    const change = { resource: 'things', kind: 'created', row: ['a', 1], ancestors: [] } as const;
    others.listener?.onNotification({ stale: ['things'], changes: [change] });
    await settle();
    for (const { heard: news } of [one, other]) expect(news.slice(-2)).toEqual(['stale things', 'a 1']);
  });

  it('take no answer from before for one to what they ask once more', async () => {
    const first = Promise.withResolvers<void>();
    others.heard = first.promise;
    others.isConnected = false;
    others.listener?.onMissedEvents();
    await settle();
    one.peers.follow('things', undefined);
    await settle();
    others.heard = new Promise(() => {});
    others.isConnected = true;
    others.listener?.onMissedEvents();
    await settle();
    first.resolve();
    await settle();
    expect(one.peers.epochOf('things', undefined)).toBeUndefined();
  });

  it('are one peer to the others, which hear of a row in the order of its versions', async () => {
    const first = await one.write(1);
    const second = await other.write(2);
    void second();
    await settle();
    expect(others.published.flatMap(({ changes }) => changes)).toEqual([]);
    expect(others.published).toHaveLength(1);
    void first();
    await settle();
    expect(others.published.flatMap(({ changes }) => changes.map(({ row }) => row[1]))).toEqual([1, 2]);
  });

  it('hear what the others change of what they follow, and read lists anew when something may be missed', async () => {
    await one.peers.follow('things', undefined).heard;
    expect(others.followed).toBe(1);
    const change = { resource: 'things', kind: 'created', row: ['a', 1], ancestors: [] } as const;
    others.listener?.onNotification({ stale: ['things'], changes: [change] });
    await settle();
    expect([one.heard, other.heard]).toEqual([['stale things', 'a 1'], []]);
    const before = one.peers.epochOf('things', undefined) ?? 0;
    others.listener?.onMissedEvents();
    await settle();
    expect(one.peers.epochOf('things', undefined)).toBeGreaterThan(before);
    others.isConnected = false;
    others.listener?.onMissedEvents();
    await settle();
    expect(one.peers.epochOf('things', undefined)).toBeUndefined();
    hub.leave(one, false);
    expect([others.followed, others.missed]).toEqual([0, 1]);
  });
});
