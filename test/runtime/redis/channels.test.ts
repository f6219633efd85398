import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChangeNotification } from '../../../src/runtime/engine/events/peers.ts';
import { RedisPeers } from '../../../src/runtime/redis/redis-peers.ts';
import { eventually } from '../../support/eventually.ts';
import { hasRedis, makePrefix, REDIS_URL } from '../../support/redis.ts';
import { type TcpProxy, tcpProxy } from '../../support/tcp-proxy.ts';

const silent = { info() {}, warn() {} };
const LAYOUT = 'the same';

/** What a server has heard of its peers. */
interface Member {
  readonly peers: RedisPeers;
  readonly heard: ChangeNotification[];
  missed: number;
  /** Resources of which alone something was missed. */
  readonly missedOf: string[];
}

const changed = (resource: string, id = 1): ChangeNotification => ({
  stale: [resource],
  changes: [{ resource, kind: 'created', row: [id], ancestors: [] }],
});

describe.skipIf(!hasRedis)('channels of resources', () => {
  let prefix: string;
  let members: Member[];
  let client: Redis;
  let proxies: TcpProxy[];

  async function join(url = REDIS_URL, layouts?: ReadonlyMap<string, string>): Promise<Member> {
    const layout = layouts ? [...layouts.values()].join() : LAYOUT;
    const peers = new RedisPeers({ url, prefix, layout, ...(layouts && { layouts }), id: randomUUID(), log: silent });
    const member: Member = { peers, heard: [], missed: 0, missedOf: [] };
    peers.listen({
      onNotification: (one) => member.heard.push(one),
      onMissedEvents: (resource) => (resource === undefined ? member.missed++ : member.missedOf.push(resource)),
    });
    members.push(member);
    await eventually(() => expect(peers.isConnected).toBe(true));
    return member;
  }

  async function proxied(): Promise<TcpProxy> {
    const proxy = await tcpProxy(REDIS_URL);
    proxies.push(proxy);
    return proxy;
  }

  /** The channels that some server listens to, without the prefix. */
  const channels = async () =>
    ((await client.pubsub('CHANNELS', `${prefix}:*`)) as string[]).map((name) => name.slice(prefix.length + 1)).sort();

  beforeEach(() => {
    prefix = makePrefix();
    members = [];
    proxies = [];
    client = new Redis(REDIS_URL);
  });
  afterEach(async () => {
    for (const { peers } of members) await peers.close();
    for (const proxy of proxies) await proxy.close();
    client.disconnect();
  });

  it('are heard by those who follow the resource, and by no others', async () => {
    const [one, other, idle] = [await join(), await join(), await join()];
    await one.peers.follow('cats').heard;
    await other.peers.follow('dogs').heard;
    expect(await channels()).toEqual(['-:cats', '-:dogs', 'news', 'peers']);
    idle.peers.publish({ stale: ['cats', 'dogs', 'mice'], changes: changed('cats').changes });
    await eventually(() => {
      expect(one.heard).toEqual([changed('cats')]);
      expect(other.heard).toEqual([{ stale: ['dogs'], changes: [] }]);
    });
    expect(idle.heard).toEqual([]);
  });

  it('bring what a large transaction has changed in parts, in its order, and which lists are stale at once', async () => {
    const [one, other] = [await join(), await join()];
    await one.peers.follow('cats').heard;
    const missed = one.missed;
    const changes = Array.from({ length: 60_000 }, (_, id) => changed('cats', id).changes).flat();
    other.peers.publish({ stale: ['cats'], changes });
    other.peers.publish(changed('cats', 60_000));
    await eventually(() => expect(one.heard.flatMap((part) => part.changes)).toHaveLength(60_001));
    expect(one.heard.flatMap((part) => part.changes)).toEqual([...changes, ...changed('cats', 60_000).changes]);
    expect(Math.max(...one.heard.map((part) => part.changes.length))).toBeLessThan(1_000);
    const stale = [...one.heard.entries()].filter(([, part]) => part.stale.length > 0).map(([i]) => i);
    expect(stale).toHaveLength(2);
    expect(stale[1]).toBeLessThan(one.heard.length - 1);
    expect(one.missed).toBe(missed);
  });

  it('bring each small transaction in one message, however many there are at once', async () => {
    const [one, other] = [await join(), await join()];
    await one.peers.follow('cats').heard;
    const small = Array.from({ length: 5_000 }, (_, id) => changed('cats', id));
    for (const notification of small) other.peers.publish(notification);
    await eventually(() => expect(one.heard).toEqual(small));
  });

  it('are heard of by a server with another contract where the rows are the same, and else as missed', async () => {
    const [one, other] = [
      await join(
        REDIS_URL,
        new Map([
          ['cats', 'id,name'],
          ['dogs', 'id'],
        ]),
      ),
      await join(
        REDIS_URL,
        new Map([
          ['cats', 'id,name'],
          ['dogs', 'id,alias'],
        ]),
      ),
    ];
    await other.peers.follow('cats').heard;
    await other.peers.follow('dogs').heard;
    const missed = other.missed;
    one.peers.publish(changed('dogs'));
    one.peers.publish(changed('cats'));
    await eventually(() => expect(other.heard).toEqual([{ stale: ['dogs'], changes: [] }, changed('cats')]));
    expect(other.missedOf).toEqual(['dogs']);
    const changes = Array.from({ length: 2_000 }, (_, id) => changed('dogs', id).changes).flat();
    one.peers.publish({ stale: ['dogs'], changes: [...changes, ...changed('cats', 2).changes] });
    await eventually(() => expect(other.heard.at(-1)?.changes).toEqual(changed('cats', 2).changes));
    expect(other.missedOf).toEqual(['dogs', 'dogs']);
    expect(other.missed).toBe(missed);
  });

  it('are heard from the moment on in which following has begun', async () => {
    const [one, other] = [await join(), await join()];
    for (let i = 0; i < 50; i++) {
      await other.peers.follow(`cats ${i}`).heard;
      one.peers.publish(changed(`cats ${i}`));
    }
    await eventually(() => expect(other.heard).toHaveLength(50));
    expect(other.missed).toBe(1);
  });

  it('let pages be cached once they are heard, and not again after they were left', async () => {
    const one = await join();
    expect(one.peers.epochOf('cats')).toBeUndefined();
    await eventually(() => expect(one.peers.epochOf('cats')).toBeDefined());
    const first = one.peers.epochOf('cats');
    expect(one.peers.epochOf('cats')).toBe(first);
    await eventually(() => expect(one.peers.epochOf('dogs')).toBeDefined());
    expect(one.peers.epochOf('cats')).toBe(first);
    (await join()).peers.announceMissedEvents();
    await eventually(() => expect(one.peers.epochOf('cats')).toBeGreaterThan(first!));
  });

  it('are followed again, with missed events reported, after Redis was away', async () => {
    const [one, proxy] = [await join(), await proxied()];
    const other = await join(proxy.url);
    await other.peers.follow('cats').heard;
    await proxy.shut();
    await eventually(() => expect(other.peers.isConnected).toBe(false));
    expect(other.peers.epochOf('cats')).toBeUndefined();
    expect(other.peers.follow('dogs').heard).toBeUndefined();
    const missed = other.missed;
    await proxy.open();
    await eventually(() => expect(other.peers.isConnected).toBe(true));
    expect(other.missed).toBe(missed + 1);
    one.peers.publish(changed('cats'));
    one.peers.publish(changed('dogs'));
    await eventually(() => expect(other.heard).toEqual([changed('cats'), changed('dogs')]));
  });

  it('are not waited for when Redis is lost meanwhile', async () => {
    const proxy = await proxied();
    const other = await join(proxy.url);
    proxy.freeze();
    const { heard } = other.peers.follow('cats');
    proxy.cut();
    await heard;
    expect(other.peers.isConnected).toBe(false);
  });

  describe('beside a server of the previous release', () => {
    let old: Redis;
    let received: { kind: string; from: string; news?: ChangeNotification }[];
    const say = (message: object) =>
      client.publish(`${prefix}:news`, JSON.stringify({ from: 'old', layout: LAYOUT, ...message }));
    const heard = (kind: string) => received.filter((one) => one.kind === kind);

    beforeEach(async () => {
      received = [];
      old = new Redis(REDIS_URL);
      old.on('message', (_channel, text) => received.push(JSON.parse(text)));
      await old.subscribe(`${prefix}:news`);
    });
    afterEach(() => old.disconnect());

    it('reach it by the one channel that it knows, while it lives', async () => {
      const one = await join();
      one.peers.publish(changed('cats', 1));
      await say({ kind: 'beat' });
      // What was published before it was known, it learns to have missed.
      await eventually(() => expect(heard('gap')).toHaveLength(1));
      one.peers.publish(changed('cats', 2));
      await eventually(() => expect(heard('news').map(({ news }) => news)).toEqual([changed('cats', 2)]));
      // It must not take the sender for dead.
      await eventually(() => expect(heard('beat').length).toBeGreaterThan(0));
      await say({ kind: 'bye' });
      await eventually(async () => {
        const before = received.length;
        one.peers.publish(changed('cats', 3));
        await client.ping();
        expect(received).toHaveLength(before);
      });
    });

    it('hear it, and each other once', async () => {
      const [one, other] = [await join(), await join()];
      await other.peers.follow('cats').heard;
      await say({ kind: 'news', news: changed('cats', 1) });
      await eventually(() => expect(other.heard).toEqual([changed('cats', 1)]));
      await eventually(() => expect(one.heard).toEqual([changed('cats', 1)]));
      one.peers.publish(changed('cats', 2));
      one.peers.publish(changed('cats', 3));
      await eventually(() => expect(heard('news')).toHaveLength(3));
      expect(other.heard).toEqual([1, 2, 3].map((id) => changed('cats', id)));
    });
  });
});
