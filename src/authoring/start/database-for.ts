import { createHash } from 'node:crypto';
import { join, parse, resolve } from 'node:path';
import type { Config } from '../../runtime/settings/index.ts';
import type { StartOptions } from '../../tools/start-options.ts';

const DIGEST_LENGTH = 8;

/** Another contract's rows live in a file of their own, `cats-1f2e3d4c.db`, unless a setting says where. */
export function databaseFor({ contracts }: StartOptions, config: Config): Config {
  if (contracts === undefined || process.env['DATABASE_URL']) return config;
  const path = resolve(contracts);
  const name = parse(path).name.replace(/[^\w-]/g, '_');
  const digest = createHash('sha256').update(path).digest('hex').slice(0, DIGEST_LENGTH);
  const file = join(config.dataDir, `${name}-${digest}.db`);
  return { ...config, database: { kind: 'sqlite', file } };
}
