import { SHELLS } from '../../src/tools/completion/shells.ts';
import { hasPgBouncer } from './pgbouncer.ts';
import { hasPostgres } from './postgres.ts';
import { hasRedis } from './redis.ts';
import { hasShell } from './shells.ts';

/** Reports, once and before any test, which tests this machine cannot run. */
export default function reportSkippedTests(): void {
  if (!hasPostgres) console.warn('No Postgres answers (TEST_POSTGRES_URL): tests on it are skipped.');
  if (!hasPgBouncer) console.warn('There is no PgBouncer: tests of Postgres behind it are skipped.');
  if (!hasRedis) console.warn('No Redis answers (TEST_REDIS_URL): tests on it are skipped.');
  for (const shell of SHELLS)
    if (!hasShell(shell)) console.warn(`There is no ${shell}: tests of its completion are skipped.`);
}
