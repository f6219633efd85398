import { SHELLS } from '../../src/tools/command/completion/shells.ts';
import { hasPostgres } from './postgres.ts';
import { hasRedis } from './redis.ts';
import { hasShell } from './shells.ts';

/** Says once, before any test, which tests this machine cannot run. */
export default function tellWhatIsLeftOut(): void {
  if (!hasPostgres) console.warn('No Postgres answers (TEST_POSTGRES_URL): the tests on it are left out.');
  if (!hasRedis) console.warn('No Redis answers (TEST_REDIS_URL): the tests on it are left out.');
  for (const shell of SHELLS)
    if (!hasShell(shell)) console.warn(`There is no ${shell}: what completes commands in it is not tested.`);
}
