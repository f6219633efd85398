import { secretKeys, signToken } from '../../src/runtime/auth/index.ts';
import type { DatabaseLocation } from '../../src/runtime/storage/database/index.ts';

/** The secret of the servers under load, with which the load's token is signed. */
export const SECRET = 'the secret of a benchmark, known to all.';

/**
 * The environment of Lockstep under load: production settings, but without the list cache, which the other server does
 * not have.
 */
export function environmentFor(dataDir: string, database: DatabaseLocation): Readonly<Record<string, string>> {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    DATABASE_URL: urlOf(database),
    LIST_CACHE_MB: '0',
    RATE_LIMIT: '0',
    JWT_SECRET: SECRET,
  };
}

/** A location as the value of `DATABASE_URL`. */
export const urlOf = (location: DatabaseLocation): string =>
  location.kind === 'sqlite' ? `sqlite:${location.file}` : location.url;

export function makeToken(): string {
  const claims = { subject: '01920000-0000-7000-8000-000000000000', scopes: ['products:write', 'users:admin'] };
  return signToken(secretKeys(SECRET), { ...claims, expiresInSeconds: 86_400 });
}
