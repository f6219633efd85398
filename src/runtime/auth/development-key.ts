import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../descriptor/config-error.ts';
import { MIN_SECRET_BYTES, type SecretKeys, secretKeys } from './keys.ts';

const FILE = 'development-jwt-secret';

/**
 * The secret of a developer's own server, made on first use and kept in the data folder, readable by its owner only,
 * so that tokens outlive a restart and `npm run token` signs what the server accepts.
 * Throws `ConfigError` when the file holds no usable secret.
 */
export function developmentKeys(dataDir: string): SecretKeys {
  const file = join(dataDir, FILE);
  const secret = read(file) ?? create(dataDir, file);
  if (Buffer.byteLength(secret) < MIN_SECRET_BYTES) {
    throw new ConfigError([
      `${file} holds no secret of at least ${MIN_SECRET_BYTES} bytes: delete it to get a new one`,
    ]);
  }
  return secretKeys(secret);
}

/** Whether there is a secret already. */
export const hasDevelopmentKeys = (dataDir: string): boolean => existsSync(join(dataDir, FILE));

/** The file appears whole or not at all, so that of two processes at once both use the first one's secret. */
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
