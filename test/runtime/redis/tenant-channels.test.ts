import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChangeNotification, FollowedRows } from '../../../src/runtime/engine/events/peers.ts';
import { RedisPeers, type RedisPeersOptions } from '../../../src/runtime/redis/redis-peers.ts';
import { eventually } from '../../support/eventually.ts';
import { hasRedis, makePrefix, REDIS_URL } from '../../support/redis.ts';
import { type TcpProxy, tcpProxy } from '../../support/tcp-proxy.ts';

const silent = { info() {}, warn() {} };

/** What a server has heard of its peers. */
interface Member {
  readonly peers: RedisPeers;
  /** The ids of the rows. */
  readonly heard: unknown[];
  missed: number;
}

const ALL: FollowedRows = { kind: 'all' };
const of = (tenant: string): FollowedRows => ({ kind: 'tenant', tenant });

/** A new cat of these tenants, or of none. */
const cat = (id: unknown, ...tenants: string[]): ChangeNotification => ({
  stale: ['cats'],
  changes: [{ resource: 'cats', kind: 'created', row: [id as number], ancestors: [] }],
  ...(tenants.length > 0 && { tenants: { cats: tenants } }),
});

describe.skipIf(!hasRedis)('channels of tenants', () => {
  let prefix: string;
  let members: Member[];
  let client: Redis;
  let proxies: TcpProxy[];

  async function join(options: Partial<RedisPeersOptions> = {}): Promise<Member> {
    const own = { url: REDIS_URL, prefix, layout: 'the same', id: randomUUID(), log: silent };
    const peers = new RedisPeers({ tenancy: 'the same', ...own, ...options });
    const member: Member = { peers, heard: [], missed: 0 };
    peers.listen({
      onNotification: ({ changes }) => member.heard.push(...changes.map(({ row }) => row[0])),
      onMissedEvents: () => member.missed++,
    });
    members.push(member);
    await eventually(() => expect(peers.isConnected).toBe(true));
    return member;
  }

  /** How many servers listen to channels, which are named without the prefix. */
  const listeners = async (...names: readonly string[]) => {
    const counts = await client.pubsub('NUMSUB', ...names.map((name) => `${prefix}:${name}`));
    return (counts as (string | number)[]).filter((_, i) => i % 2 === 1);
  };

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

  it('are heard by those who follow rows of the tenant, and by no others', async () => {
    const [one, other, idle] = [await join(), await join(), await join()];
    await one.peers.follow('cats', of('north')).heard;
    await other.peers.follow('cats', { kind: 'none' }).heard;
    expect(await listeners('=north:cats', '=south:cats', '*:cats', '-:cats')).toEqual([1, 0, 0, 2]);
    idle.peers.publish(cat(1, 'south'));
    idle.peers.publish(cat(2, 'north'));
    idle.peers.publish(cat(3));
    await eventually(() => expect(one.heard).toEqual([2, 3]));
    await eventually(() => expect(other.heard).toEqual([3]));
    expect(idle.heard).toEqual([]);
  });

  it('are all heard, each change once, by who follows the rows of all tenants, and of some beside', async () => {
    const [one, other] = [await join(), await join()];
    await one.peers.follow('cats', ALL).heard;
    const before = ['south', 'north', 'south', 'west'];
    before.forEach((tenant, i) => {
      other.peers.publish(cat(i, tenant));
    });
    await eventually(() => expect(one.heard).toEqual([0, 1, 2, 3]));
    await one.peers.follow('cats', of('north')).heard;
    await one.peers.follow('cats', of('south')).heard;
    other.peers.publish(cat(4, 'north'));
    other.peers.publish(cat(5));
    other.peers.publish(cat(6, 'south', 'north', 'west'));
    other.peers.publish(cat(7, 'south'));
    await eventually(() => expect(one.heard).toEqual([0, 1, 2, 3, 4, 5, 6, 7]));
  });

  it('tell of one change of several tenants once', async () => {
    const [one, other] = [await join(), await join()];
    for (const tenant of ['north', 'south']) await one.peers.follow('cats', of(tenant)).heard;
    other.peers.publish(cat(1, 'north', 'south'));
    other.peers.publish(cat(2, 'south'));
    await eventually(() => expect(one.heard).toEqual([1, 2]));
  });

  it('are none for who sees all where nobody does', async () => {
    const [one, other] = [await join({ hasOperators: false }), await join({ hasOperators: false })];
    const published: string[] = [];
    client.on('pmessage', (_pattern, channel: string) => published.push(channel.slice(prefix.length + 1)));
    await client.psubscribe(`${prefix}:*:cats`);
    await one.peers.follow('cats', of('north')).heard;
    other.peers.publish(cat(1, 'north'));
    other.peers.publish(cat(2));
    await eventually(() => expect(published).toEqual(['=north:cats', '-:cats']));
  });

  it('have names for tenants of any text', async () => {
    const [one, other] = [await join(), await join()];
    const tenants = [
      '-',
      '*',
      'peers',
      'a:b',
      'a%3Ab',
      'a*',
      ' ',
      'Ä',
      '\ud800',
      'x'.repeat(5_000),
      `${'x'.repeat(5_000)}y`,
    ];
    for (const [i, tenant] of tenants.entries()) {
      const { heard, release } = one.peers.follow(`cats${i}`, of(tenant));
      await heard;
      for (const [j, resident] of tenants.entries()) {
        const change = {
          resource: `cats${i}`,
          kind: 'created',
          row: [`${i} ${j}`],
          ancestors: [],
        } as const;
        other.peers.publish({ stale: [], changes: [change], tenants: { [`cats${i}`]: [resident] } });
      }
      release();
    }
    await eventually(() => expect(one.heard).toEqual(tenants.map((_, i) => `${i} ${i}`)));
    const names = (await client.pubsub('CHANNELS', `${prefix}:*`)) as string[];
    for (const name of names) expect(name.length).toBeLessThan(prefix.length + 120);
  });

  it('let pages be cached once all that tells of them is heard', async () => {
    const [one, other] = [await join(), await join()];
    expect(one.peers.epochOf('cats', of('north'))).toBeUndefined();
    await eventually(() => expect(one.peers.epochOf('cats', of('north'))).toBeDefined());
    const first = one.peers.epochOf('cats', of('north'));
    expect(one.peers.epochOf('cats', of('south'))).toBeUndefined();
    await eventually(() => expect(one.peers.epochOf('cats', of('south'))).toBeGreaterThan(first!));
    expect(one.peers.epochOf('cats', of('north'))).toBe(first);
    other.peers.announceMissedEvents();
    await eventually(() => expect(one.peers.epochOf('cats', of('north'))).toBeGreaterThan(first!));
  });

  it('are followed again, with missed events reported, after Redis was away', async () => {
    const proxy = await tcpProxy(REDIS_URL);
    proxies.push(proxy);
    const [one, other] = [await join(), await join({ url: proxy.url })];
    await other.peers.follow('cats', of('north')).heard;
    await proxy.shut();
    await eventually(() => expect(other.peers.isConnected).toBe(false));
    other.peers.follow('cats', of('south'));
    const { missed } = other;
    await proxy.open();
    await eventually(() => expect(other.peers.isConnected).toBe(true));
    expect(other.missed).toBe(missed + 1);
    for (const [i, tenant] of ['north', 'west', 'south'].entries()) one.peers.publish(cat(i, tenant));
    await eventually(() => expect(other.heard).toEqual([0, 2]));
  });

  it('are not relied on beside a server whose contract has other tenants, which learns what it has missed', async () => {
    const one = await join();
    const stranger = await join({ tenancy: undefined });
    await stranger.peers.follow('cats').heard;
    one.peers.publish(cat(1, 'north'));
    // Each of the two has heard of the other when it is told so.
    await eventually(() => {
      expect(stranger.missed).toBeGreaterThan(1);
      expect(one.missed).toBeGreaterThan(1);
    });
    await one.peers.follow('cats', of('north')).heard;
    one.peers.publish(cat(2, 'north'));
    stranger.peers.publish(cat(3));
    await eventually(() => expect([...stranger.heard, ...one.heard]).toEqual([2, 3]));
    await stranger.peers.close();
    const published: string[] = [];
    client.on('pmessage', (_pattern, channel: string) => published.push(channel.slice(prefix.length + 1)));
    await client.psubscribe(`${prefix}:*:cats`);
    await eventually(() => {
      one.peers.publish(cat(4, 'north'));
      expect(published).toContain('=north:cats');
    });
  });
});
