import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { isAvailable } from './service-availability.ts';

/** Where the tests find a Redis. */
export const REDIS_URL = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

async function answers(): Promise<boolean> {
  const client = new Redis(REDIS_URL, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

/** Whether the tests on Redis run. With `REQUIRE_REDIS=true` they do, and fail without a server. */
export const hasRedis = await isAvailable('REDIS', answers);

/** Keys and channels of one test. */
export const makePrefix = (): string => `lockstep_test_${randomBytes(8).toString('hex')}`;
