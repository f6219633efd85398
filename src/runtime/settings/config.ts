import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../descriptor/config-error.ts';
import { type Layout, layoutNamed } from '../../descriptor/layout.ts';
import { isDiscoverable } from '../auth/issuer.ts';
import { issuerKeys, type Keys, publicKeys, remoteKeys, secretKeys } from '../auth/keys.ts';
import type { AllowedOrigins } from '../http/cors.ts';
import type { DatabaseLocation } from '../storage/database/database.ts';
import { withSchema } from '../storage/postgres/postgres-address.ts';
import type { Setting } from './setting.ts';
import { PRODUCTION_REQUESTS_PER_MINUTE, type SettingValues, settings } from './settings.ts';
import { weaknessOf } from './weak-secret.ts';
import { workersFault, workersOf } from './worker-share.ts';

/** The configuration of a server. Times are in milliseconds, sizes in bytes, and paths are absolute. */
export interface Config
  extends Omit<
    SettingValues,
    | 'jwksUrl'
    | 'jwtPublicKey'
    | 'jwtSecret'
    | 'database'
    | 'migrateAtBoot'
    | 'checkResponses'
    | 'introspection'
    | 'graphiql'
    | 'shutdownDelayMs'
    | 'requestsPerMinute'
    | 'corsOrigins'
    | 'workers'
  > {
  readonly isProduction: boolean;
  readonly database: DatabaseLocation;
  readonly migrateAtBoot: boolean;
  /** No setting says whether it migrates. */
  readonly migratesUnasked: boolean;
  readonly checkResponses: boolean;
  readonly introspection: boolean;
  readonly graphiql: boolean;
  readonly shutdownDelayMs: number;
  readonly requestsPerMinute: number;
  readonly corsOrigins: AllowedOrigins;
  readonly workers: number;
  /** Keys that tokens are verified with. Undefined only outside production, where `developmentKeys` are used. */
  readonly keys: Keys | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const KEY_VARIABLES = 'JWT_JWKS_URL, JWT_PUBLIC_KEY, JWT_SECRET';

/** Reads all settings from the environment. Throws `ConfigError` with a line for each that is not valid. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const values = readValues(environment, problems);
  problems.push(...missingFolder(environment, settings.migrationsDir, values.migrationsDir));
  // These checks compare settings, so they need the values of all of them.
  if (problems.length === 0) problems.push(...contradictions(values));
  if (problems.length > 0) throw new ConfigError(problems);
  const { jwksUrl, jwtPublicKey, jwtSecret, ...rest } = values;
  const isProduction = values.environment === 'production';
  return {
    ...rest,
    isProduction,
    database: databaseOf(values),
    ...(values.databaseRead && { databaseRead: inSchema(values.databaseRead, values.lockstepSchema) }),
    migrateAtBoot: values.migrateAtBoot ?? !isProduction,
    migratesUnasked: values.migrateAtBoot === undefined,
    checkResponses: values.checkResponses ?? !isProduction,
    introspection: values.introspection ?? !isProduction,
    graphiql: values.graphiql ?? !isProduction,
    requestsPerMinute: values.requestsPerMinute ?? (isProduction ? PRODUCTION_REQUESTS_PER_MINUTE : 0),
    corsOrigins: values.corsOrigins ?? (isProduction ? [] : 'this-machine'),
    shutdownDelayMs: values.shutdownDelayMs ?? (isProduction ? 500 : 0),
    workers: workersOf(values.workers, values.databaseConnections, availableParallelism()),
    keys: keysOf(values),
  };
}

function databaseOf({ database, dataDir, lockstepSchema }: SettingValues): DatabaseLocation {
  if (!database) return { kind: 'sqlite', file: join(dataDir, 'lockstep.db') };
  return database.kind === 'sqlite' ? database : { ...database, url: inSchema(database.url, lockstepSchema) };
}

const inSchema = (url: string, schema: string | undefined): string =>
  schema === undefined ? url : withSchema(url, schema);

/** What the settings say of how a database is made and used. */
export const databaseWishes = ({ databaseRls, databaseLayout, databaseRead }: Config) => ({
  hasRowSecurity: databaseRls,
  layout: databaseLayout,
  hasReplica: databaseRead !== undefined,
});

/** The layout of databases that a command makes for itself. Throws `ConfigError`. */
export function scratchLayout(environment: Environment): Layout | undefined {
  const setting = settings.databaseLayout;
  const text = environment[setting.variable];
  const layout = text ? layoutNamed(text) : undefined;
  if (text && !layout) throw new ConfigError([problem(setting, text, setting.kind.accepts)]);
  return layout;
}

/** A folder that a variable names is there; only the default need not be. */
function missingFolder(environment: Environment, setting: Setting<string>, folder: string): readonly string[] {
  const text = environment[setting.variable];
  return text && !existsSync(folder) ? [problem(setting, text, 'an existing folder')] : [];
}

function readValues(environment: Environment, problems: string[]): SettingValues {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const text = environment[setting.variable] || setting.fallback;
    if (text === undefined) continue;
    try {
      values[name] = setting.kind.read(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problems.push(problem(setting, text, error.message));
    }
  }
  return values as SettingValues;
}

function problem({ variable, isSecret }: Setting<unknown>, text: string, accepts: string): string {
  return `${variable} accepts ${accepts}${isSecret ? '' : `, not ${JSON.stringify(text)}`}.`;
}

function contradictions(values: SettingValues): string[] {
  const problems: string[] = [];
  const { jwksUrl, jwtPublicKey, jwtSecret, jwtIssuers, jwtAudience } = values;
  const keys = [jwksUrl, jwtPublicKey, jwtSecret].filter((key) => key !== undefined).length;
  if (keys > 1) problems.push(`${KEY_VARIABLES}: only one of them may be set.`);
  if (values.headersTimeoutMs > values.requestTimeoutMs) {
    problems.push('HEADERS_TIMEOUT_MS must not be greater than REQUEST_TIMEOUT_MS.');
  }
  if (values.databaseRead !== undefined && values.database?.kind !== 'postgres')
    problems.push('DATABASE_READ_URL: only a Postgres at DATABASE_URL has standbys.');
  if (values.databaseRls && values.database?.kind !== 'postgres')
    problems.push('DATABASE_RLS: only a Postgres at DATABASE_URL has row-level security.');
  if (values.lockstepSchema !== undefined && values.database?.kind !== 'postgres')
    problems.push('LOCKSTEP_SCHEMA: only a Postgres at DATABASE_URL has schemas.');
  const crowded = workersFault(values.workers, values.databaseConnections, values.database?.kind === 'postgres');
  if (crowded !== undefined) problems.push(crowded);
  if (values.environment !== 'production') return problems;
  const weakness = jwtSecret && weaknessOf(jwtSecret);
  if (weakness) problems.push(`JWT_SECRET ${weakness}. Make one with \`openssl rand -hex 32\`.`);
  const isKnown = keys > 0 || areDiscoverable(jwtIssuers);
  if (!isKnown) problems.push(`${KEY_VARIABLES}: one of them, or a URL as JWT_ISSUER, must be set in production.`);
  if (isKnown && jwtSecret === undefined) {
    // The issuer also signs tokens for other services. They must not grant access to this one.
    const because = 'must be set in production unless JWT_SECRET is.';
    if (jwtIssuers === undefined) problems.push(`JWT_ISSUER ${because}`);
    if (jwtAudience === undefined) problems.push(`JWT_AUDIENCE ${because}`);
  }
  return problems;
}

const areDiscoverable = (issuers: readonly string[] | undefined): issuers is readonly string[] =>
  issuers?.every(isDiscoverable) ?? false;

function keysOf({ jwksUrl, jwtPublicKey, jwtSecret, jwtIssuers }: SettingValues): Keys | undefined {
  if (jwksUrl) return remoteKeys(jwksUrl);
  if (jwtPublicKey !== undefined) return publicKeys(jwtPublicKey);
  if (jwtSecret !== undefined) return secretKeys(jwtSecret);
  return areDiscoverable(jwtIssuers) ? issuerKeys(jwtIssuers) : undefined;
}
