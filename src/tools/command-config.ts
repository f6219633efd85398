import { type Config, readConfig } from '../runtime/settings/index.ts';

/** The settings of a command on a database, which needs none of a server. `further`: in place of the environment's. Throws `ConfigError`. */
export const commandConfig = (further: Readonly<Record<string, string>> = {}): Config =>
  readConfig({ JWT_SECRET: undefined, ...process.env, NODE_ENV: 'development', ...further });
