import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../descriptor/config-error.ts';
import { MIN_SECRET_BYTES, type SecretKeys, secretKeys } from './keys.ts';

const FILE = 'development-jwt-secret';

/**
 * The secret of a developer's own server. It is created on first use and stored in the data folder, readable by its
 * owner only: tokens stay valid across restarts, and `npm run token` signs tokens that the server accepts. Throws
 * `ConfigError` when the file does not contain a usable secret.
 */
export function developmentKeys(dataDir: string): SecretKeys {
  const file = join(dataDir, FILE);
  const secret = read(file) ?? create(dataDir, file);
  if (Buffer.byteLength(secret) < MIN_SECRET_BYTES) {
    throw new ConfigError([
      `${file} does not contain a secret of at least ${MIN_SECRET_BYTES} bytes: delete it to get a new one`,
    ]);
  }
  return secretKeys(secret);
}

/** Whether a secret has been created. */
export const hasDevelopmentKeys = (dataDir: string): boolean => existsSync(join(dataDir, FILE));

/** Creates the file atomically: of two processes that start at once, both use the secret of the first. */
function create(dataDir: string, file: string): string {
  mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, `${randomBytes(MIN_SECRET_BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    linkSync(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read(file)!;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
