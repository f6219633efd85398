import { hasPostgres } from './postgres.ts';
import { hasRedis } from './redis.ts';

/** Says once, before any test, which tests this machine cannot run. */
export default function tellWhatIsLeftOut(): void {
  if (!hasPostgres) console.warn('No Postgres answers (TEST_POSTGRES_URL): the tests on it are left out.');
  if (!hasRedis) console.warn('No Redis answers (TEST_REDIS_URL): the tests on it are left out.');
}
