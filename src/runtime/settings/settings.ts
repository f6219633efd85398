import type { SettingKind } from './setting-kinds.ts';
import * as kinds from './setting-kinds.ts';

/** One environment variable. */
export interface Setting<T> {
  readonly variable: string;
  readonly kind: SettingKind<T>;
  /** Text that stands in for an unset variable; without it, the value is then undefined. */
  readonly fallback?: string;
  /** What an unset variable means, where `fallback` does not say it. */
  readonly unset?: string;
  readonly description: string;
  /** Its value is never shown. */
  readonly isSecret?: boolean;
}

/** A setting that has a value even when its variable is unset. */
type Required<T> = Setting<T> & { readonly fallback: string };

const required = <T>(variable: string, kind: SettingKind<T>, fallback: string, description: string): Required<T> => ({
  variable,
  kind,
  fallback,
  description,
});

const optional = <T>(variable: string, kind: SettingKind<T>, unset: string, description: string): Setting<T> => ({
  variable,
  kind,
  unset,
  description,
});

const confidential = <T>(setting: Setting<T>): Setting<T> => ({ ...setting, isSecret: true });

const milliseconds = kinds.integer(1, 3_600_000);

/** All settings, in the order they are documented. An unset or empty variable means its default. */
export const settings = {
  environment: required(
    'NODE_ENV',
    kinds.oneOf('development', 'production', 'test'),
    'development',
    'In `production`, boot refuses what is convenient but not safe.',
  ),
  host: required('HOST', kinds.host, '127.0.0.1', 'Address to listen on. `0.0.0.0` is every IPv4 interface.'),
  port: required('PORT', kinds.integer(0, 65_535), '3000', 'Port to listen on. `0` takes a free one.'),
  publicUrl: optional(
    'PUBLIC_URL',
    kinds.httpUrl,
    'the address listened on',
    'Where callers reach the server, when a proxy stands before it.',
  ),
  trustProxy: required(
    'TRUST_PROXY',
    kinds.trustedProxies,
    '0',
    "Proxies whose `X-Forwarded-*` fields are believed. Name those before this server, nobody else's.",
  ),
  dataDir: required('DATA_DIR', kinds.folder, './data', 'Folder for what the server keeps. Made when missing.'),
  database: confidential(
    optional('DATABASE_URL', kinds.databaseUrl, '`lockstep.db` in `DATA_DIR`', 'Where rows are kept.'),
  ),
  databaseConnections: required(
    'DATABASE_CONNECTIONS',
    kinds.integer(2, 1_000),
    '10',
    'Connections to Postgres: four in ten are shared by all reads, each other runs one transaction at a time.',
  ),
  statementTimeoutMs: required(
    'DATABASE_TIMEOUT_MS',
    milliseconds,
    '1500',
    'Time for one statement, and for a connection to become free, on Postgres; beyond it, 503.',
  ),
  migrateAtBoot: optional(
    'MIGRATE_AT_BOOT',
    kinds.boolean,
    '`true`, in production `false`',
    'Whether the server changes the tables as `npm run migrate` does. If not, it refuses to start without them.',
  ),
  migrationsDir: required('MIGRATIONS_DIR', kinds.folder, './migrations', 'Folder of hand-written migrations.'),
  sqliteSynchronous: required(
    'SQLITE_SYNCHRONOUS',
    kinds.oneOf('normal', 'full'),
    'normal',
    'Both outlive the process. `full` outlives a power cut, too, at the price of a disk flush per write.',
  ),
  jwksUrl: optional(
    'JWT_JWKS_URL',
    kinds.keySetUrl,
    'see below',
    "The issuer's JSON Web Key Set. Tokens are RS256, PS256, ES256 or EdDSA.",
  ),
  jwtPublicKey: confidential(
    optional('JWT_PUBLIC_KEY', kinds.publicKey, 'see below', "The issuer's key. Its type fixes the algorithm."),
  ),
  jwtSecret: confidential(
    optional('JWT_SECRET', kinds.secret, 'see below', 'Shared with the issuer. Tokens are HS256.'),
  ),
  jwtIssuer: optional('JWT_ISSUER', kinds.text, 'any', 'The only `iss` accepted in a token.'),
  jwtAudience: optional('JWT_AUDIENCE', kinds.text, 'any', "What a token's `aud` must include."),
  logLevel: required(
    'LOG_LEVEL',
    kinds.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Least severe log line that is written.',
  ),
  metricsPort: optional(
    'METRICS_PORT',
    kinds.integer(0, 65_535),
    'no metrics',
    'Port at `HOST` that serves `/metrics` for Prometheus, and nothing else.',
  ),
  traceEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    kinds.httpUrl,
    'no traces',
    'Where an OpenTelemetry collector takes traces by OTLP over HTTP.',
  ),
  serviceName: required('OTEL_SERVICE_NAME', kinds.text, 'lockstep', 'Name of this service in traces.'),
  traceShare: required(
    'OTEL_TRACES_SAMPLER_ARG',
    kinds.share,
    '1',
    'Share of the traces that begin here which is recorded; of others, who began them decides.',
  ),
  checkResponses: optional(
    'CHECK_RESPONSES',
    kinds.boolean,
    '`true`, in production `false`',
    'Whether each response is validated against the contract. One that does not match is a 500.',
  ),
  introspection: optional(
    'GRAPHQL_INTROSPECTION',
    kinds.boolean,
    '`true`, in production `false`',
    'Whether callers may ask for the GraphQL schema, and errors suggest names from it.',
  ),
  graphiql: optional(
    'GRAPHIQL',
    kinds.boolean,
    '`true`, in production `false`',
    'Whether `/graphiql` serves a page to try GraphQL in.',
  ),
  docsDir: optional(
    'DOCS_DIR',
    kinds.folder,
    'in development, made at the first look; in production none',
    'Folder that `npm run docs` has made; it is served at `/`.',
  ),
  registeredDocuments: optional(
    'GRAPHQL_DOCUMENTS',
    kinds.folder,
    'any document is executed',
    'Folder of `*.graphql` files. If set, no other GraphQL document is executed.',
  ),
  listCacheMb: required(
    'LIST_CACHE_MB',
    kinds.integer(0, 65_536),
    '64',
    'Memory for pages of lists that are asked for again. `0` keeps none.',
  ),
  redis: confidential(
    optional(
      'REDIS_URL',
      kinds.redisUrl,
      'each server by itself',
      'Where servers tell each other of changes, and count requests together. What it loses is read again.',
    ),
  ),
  redisPrefix: required('REDIS_PREFIX', kinds.text, 'lockstep', 'Servers with the same prefix belong together.'),
  requestsPerMinute: optional(
    'RATE_LIMIT',
    kinds.integer(0, 1_000_000_000),
    '`0`, in production `300`',
    'Requests that a caller may send in a minute; beyond it, 429. `0` is no limit.',
  ),
  bodyLimitBytes: required(
    'BODY_LIMIT_BYTES',
    kinds.integer(1, 1_073_741_824),
    '1048576',
    'Longest request body; beyond it, 413.',
  ),
  headersTimeoutMs: required('HEADERS_TIMEOUT_MS', milliseconds, '5000', 'Time for the head of a request to arrive.'),
  requestTimeoutMs: required('REQUEST_TIMEOUT_MS', milliseconds, '10000', 'Time for a whole request to arrive.'),
  keepAliveTimeoutMs: required(
    'KEEP_ALIVE_TIMEOUT_MS',
    milliseconds,
    '72000',
    'Time that an idle connection stays open. More than the proxy keeps it.',
  ),
  maxConcurrentRequests: required(
    'MAX_CONCURRENT_REQUESTS',
    kinds.integer(1, 1_000_000),
    '500',
    'Requests that are answered at once; beyond it, 503.',
  ),
  maxTurnMs: required(
    'MAX_TURN_MS',
    milliseconds,
    '250',
    'Work on requests that came together, beyond which those that still wait get a 503.',
  ),
  shutdownDelayMs: optional(
    'SHUTDOWN_DELAY_MS',
    kinds.integer(0, 3_600_000),
    '`0`, in production `500`',
    'Time that new requests are still answered, with 503, when the server stops: whoever balances load gets to know.',
  ),
  shutdownTimeoutMs: required(
    'SHUTDOWN_TIMEOUT_MS',
    milliseconds,
    '10000',
    'Time that running requests get when the server stops.',
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

type Settings = typeof settings;

/** The value of every setting; undefined for an unset one without a default. */
export type SettingValues = {
  readonly [K in keyof Settings]: Settings[K] extends Setting<infer T>
    ? Settings[K] extends Required<T>
      ? T
      : T | undefined
    : never;
};
