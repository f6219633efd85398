import { describe, expect, it } from 'vitest';
import { redisAddress } from '../../../src/runtime/redis/redis-address.ts';

describe('the URL of a Redis', () => {
  it.each(['redis://redis', 'redis://:secret@redis:6380/2', 'rediss://redis:6379'])('is of one server: %s', (url) => {
    expect(redisAddress(url)).toEqual({ kind: 'server', url });
  });

  it('names the master and its Sentinels', () => {
    expect(redisAddress('redis+sentinel://a:26380,b,[::1]:26379/mymaster/3')).toEqual({
      kind: 'sentinel',
      sentinels: [
        { host: 'a', port: 26_380 },
        { host: 'b', port: 26_379 },
        { host: '::1', port: 26_379 },
      ],
      master: 'mymaster',
      database: 3,
      credentials: {},
      sentinelCredentials: {},
      hasTls: false,
    });
  });

  it('has credentials for the master, and others for the Sentinels', () => {
    const url = 'rediss+sentinel://app:p%40ss@a/main?sentinelUsername=watch&sentinelPassword=s%26t';
    expect(redisAddress(url)).toMatchObject({
      master: 'main',
      database: 0,
      credentials: { username: 'app', password: 'p@ss' },
      sentinelCredentials: { username: 'watch', password: 's&t' },
      hasTls: true,
    });
  });

  it('names nodes of a cluster', () => {
    expect(redisAddress('redis+cluster://:secret@a,b:7001')).toEqual({
      kind: 'cluster',
      nodes: [
        { host: 'a', port: 6_379 },
        { host: 'b', port: 7_001 },
      ],
      credentials: { password: 'secret' },
      hasTls: false,
    });
    expect(redisAddress('rediss+cluster://a')).toMatchObject({ kind: 'cluster', hasTls: true });
  });

  it.each([
    'http://redis',
    'redis:',
    'redis+sentinel://a,b',
    'redis+sentinel://a,b/',
    'redis+sentinel://a/mymaster/x',
    'redis+sentinel://a/mymaster/0/1',
    'redis+sentinel://a:0/mymaster',
    'redis+sentinel://a:66000/mymaster',
    'redis+sentinel://a,,b/mymaster',
    'redis+sentinel://%zz@a/mymaster',
    'redis+cluster://a/1',
    'redis+cluster://a?x=1',
    'redis+cluster://',
    'redis+ring://a',
  ])('is refused: %s', (url) => {
    expect(redisAddress(url)).toBeUndefined();
  });
});
