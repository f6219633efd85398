import { MAX_BODIES_BYTES } from '../../descriptor/body-limits.ts';
import * as kinds from './kinds/setting-kinds.ts';
import { confidential, divided, optional, type RequiredSetting, required, type Setting } from './setting.ts';

const milliseconds = kinds.integer(1, 3_600_000);

/** What a caller may send in production, unless the operator says otherwise. */
export const PRODUCTION_REQUESTS_PER_MINUTE = 300;

/** All settings, in the order of the documentation. An unset or empty variable means the default. */
export const settings = {
  environment: required(
    'NODE_ENV',
    kinds.oneOf('development', 'production', 'test'),
    'development',
    'In `production`, the server does not start with settings that are convenient but not safe.',
  ),
  host: required('HOST', kinds.host, '127.0.0.1', 'Address to listen on. `0.0.0.0` stands for all IPv4 interfaces.'),
  port: required('PORT', kinds.integer(0, 65_535), '3000', 'Port to listen on. `0` chooses a free one.'),
  workers: required(
    'WORKERS',
    kinds.workers,
    '1',
    'Serving processes, on Postgres. `auto`: one for each core, as far as each has three connections. They [divide](#workers) the limits of an instance.',
  ),
  publicUrl: optional(
    'PUBLIC_URL',
    kinds.httpUrl,
    'the address that it listens on',
    'URL of the server for callers, if it is behind a proxy.',
  ),
  trustProxy: required(
    'TRUST_PROXY',
    kinds.trustedProxies,
    '0',
    'Proxies whose `X-Forwarded-*` fields are trusted. Name only those in front of this server.',
  ),
  dataDir: required(
    'DATA_DIR',
    kinds.folder,
    './data',
    'Folder for the data of the server. It is created if it does not exist.',
  ),
  database: confidential(
    optional('DATABASE_URL', kinds.databaseUrl, '`lockstep.db` in `DATA_DIR`', 'Database with all data.'),
  ),
  databaseRead: confidential(
    optional(
      'DATABASE_READ_URL',
      kinds.replicaUrl,
      'the database answers all reads',
      'Standby of the Postgres at `DATABASE_URL` that answers reads as long as it keeps up.',
    ),
  ),
  databaseConnections: divided(
    required(
      'DATABASE_CONNECTIONS',
      kinds.integer(2, 1_000),
      '10',
      'Connections to Postgres. 40 % are shared by all reads; each of the others runs one transaction at a time. Expensive reads use two more if needed, or one for each worker.',
    ),
  ),
  statementTimeoutMs: required(
    'DATABASE_TIMEOUT_MS',
    milliseconds,
    '1500',
    'Time limit for a statement, and for waiting for a connection, on Postgres; after it, 503.',
  ),
  groupInserts: required(
    'DATABASE_GROUP_INSERTS',
    kinds.boolean,
    'true',
    'Whether creates that arrive at once on Postgres [share a transaction](postgres.md#creates-that-share-a-transaction), eight at most.',
  ),
  databaseRls: required(
    'DATABASE_RLS',
    kinds.boolean,
    'false',
    'Row-level security of Postgres as a second wall between the tenants of `x-tenant`: the migration creates the policies, and each transaction names its tenant. The server refuses a role that policies do not bind.',
  ),
  databaseLayout: optional(
    'DATABASE_LAYOUT',
    kinds.layout,
    'that of the tables; `plain` for a new database',
    'How a new Postgres database keeps the rows of the tenants of `x-tenant`: `plain`, or with [keys that begin with the tenant](scale.md#tables-that-begin-with-the-tenant), in one Postgres or distributed by Citus. A database keeps its layout.',
  ),
  serveReadsOnly: required(
    'SERVE_READS_ONLY',
    kinds.boolean,
    'false',
    'Serves a database that is read-only on purpose, such as a standby: the server is ready, and does not migrate, record or delete anything.',
  ),
  lockstepSecret: confidential(
    optional(
      'LOCKSTEP_SECRET',
      kinds.bytes32,
      'kept in the database',
      'What cursors and the versions of mapped rows are made with, the same for all servers. With it and SERVE_READS_ONLY, a contract of [existing tables](reference/existing-tables.md) needs no table of Lockstep.',
    ),
  ),
  lockstepSchema: optional(
    'LOCKSTEP_SCHEMA',
    kinds.schemaName,
    "the first on the role's `search_path`",
    'Schema of Postgres with the tables of Lockstep, which a migration makes. Tables that a contract maps stay where they are.',
  ),
  migrateAtBoot: optional(
    'MIGRATE_AT_BOOT',
    kinds.boolean,
    '`true`, in production `false`',
    'Whether the server migrates the database like `npm run migrate`, without dropping anything. If not, it does not start before the migration. In production, an older contract changes nothing.',
  ),
  migrationsDir: required('MIGRATIONS_DIR', kinds.folder, './migrations', 'Folder of hand-written migrations.'),
  sqliteSynchronous: required(
    'SQLITE_SYNCHRONOUS',
    kinds.oneOf('normal', 'full'),
    'normal',
    'With both, data survives a crash of the process. With `full`, it also survives a power failure, at the cost of a disk flush per write.',
  ),
  maxDependants: required(
    'MAX_DEPENDANTS',
    kinds.integer(1, 1_000_000_000),
    '10000',
    'Number of rows that a delete may delete or change along with its own, on SQLite, where all other writes wait for it; beyond it, 409.',
  ),
  jwksUrl: optional(
    'JWT_JWKS_URL',
    kinds.keySetUrl,
    'see below',
    "URL of the issuer's JSON Web Key Set. Tokens are signed with RS256, PS256, ES256 or EdDSA.",
  ),
  jwtLeewayS: required(
    'JWT_LEEWAY_S',
    kinds.integer(0, 300),
    '30',
    'Tolerated difference of the clocks of issuer and server, in seconds: a token is valid that long before its `nbf` and after its `exp`.',
  ),
  jwtPublicKey: confidential(
    optional(
      'JWT_PUBLIC_KEY',
      kinds.publicKey,
      'see below',
      "The issuer's public key. Its type determines the algorithm.",
    ),
  ),
  jwtSecret: confidential(
    optional(
      'JWT_SECRET',
      kinds.secret,
      'see below',
      'A secret that is shared with the issuer. Tokens are signed with HS256. In production it has at least 8 different characters, and is neither a published example nor a repeated text.',
    ),
  ),
  jwtIssuers: optional(
    'JWT_ISSUER',
    kinds.texts,
    'any',
    'The accepted values of `iss`. Without one of the keys above, the server requests the keys of those that are URLs.',
  ),
  jwtAudience: optional('JWT_AUDIENCE', kinds.texts, 'any', "The values of which a token's `aud` must include one."),
  jwtScopeClaims: optional(
    'JWT_SCOPE_CLAIM',
    kinds.texts,
    '`scope`, else `scp`',
    'The claims with the scopes of a caller, such as `permissions` or `realm_access.roles`: texts separated by spaces, or arrays.',
  ),
  logLevel: required(
    'LOG_LEVEL',
    kinds.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'The least severe level that is logged.',
  ),
  metricsPort: optional(
    'METRICS_PORT',
    kinds.integer(0, 65_535),
    'no metrics',
    'Port at `HOST` that serves only `/metrics`, for Prometheus.',
  ),
  traceEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    kinds.httpUrl,
    'no traces',
    'URL of an OpenTelemetry collector that receives traces by OTLP over HTTP.',
  ),
  serviceName: optional('OTEL_SERVICE_NAME', kinds.text, '`lockstep`', 'Name of this service in traces and metrics.'),
  resourceAttributes: optional(
    'OTEL_RESOURCE_ATTRIBUTES',
    kinds.attributes,
    'none',
    'Attributes of this service in traces and metrics, such as `deployment.environment.name=production,team=shop`.',
  ),
  slowStatementMs: optional(
    'SLOW_STATEMENT_MS',
    kinds.integer(0, 3_600_000),
    'no log',
    'Duration from which a statement or a transaction is logged.',
  ),
  traceShare: required(
    'OTEL_TRACES_SAMPLER_ARG',
    kinds.share,
    '1',
    'Recorded fraction of the traces that begin at this server. For other traces, the caller decides.',
  ),
  checkResponses: optional(
    'CHECK_RESPONSES',
    kinds.boolean,
    '`true`, in production `false`',
    'Whether each response is validated against the contract. One that does not match becomes a 500.',
  ),
  introspection: optional(
    'GRAPHQL_INTROSPECTION',
    kinds.boolean,
    '`true`, in production `false`',
    'Whether callers may query the GraphQL schema, and errors suggest names from it.',
  ),
  graphiql: optional(
    'GRAPHIQL',
    kinds.boolean,
    '`true`, in production `false`',
    'Whether `/graphiql` serves a page for trying out GraphQL.',
  ),
  docsDir: optional(
    'DOCS_DIR',
    kinds.folder,
    'in development, generated on first use; in production none',
    'Folder with the output of `npm run docs`, which is served at `/`.',
  ),
  registeredDocuments: optional(
    'GRAPHQL_DOCUMENTS',
    kinds.folder,
    'any document is executed',
    'Folder of `*.graphql` files. If set, no other GraphQL document is executed.',
  ),
  maxSubscriptionCost: divided(
    optional(
      'MAX_SUBSCRIPTION_COST',
      kinds.integer(1, 1_000_000_000),
      'a hundred times `@limits(cost:)`',
      'Total cost of the subscriptions that a caller may have open on this server; beyond it, `LIMIT_EXCEEDED`.',
    ),
  ),
  listCacheMb: divided(
    required('LIST_CACHE_MB', kinds.integer(0, 65_536), '64', 'Memory for the cache of list pages. `0` disables it.'),
  ),
  redis: confidential(
    optional(
      'REDIS_URL',
      kinds.redisUrl,
      'servers share nothing',
      'Redis, through which servers publish changes to each other and count requests together. It stores nothing that must not be lost.',
    ),
  ),
  redisPrefix: required(
    'REDIS_PREFIX',
    kinds.text,
    'lockstep',
    'Servers with the same prefix share events and counts.',
  ),
  requestsPerMinute: optional(
    'RATE_LIMIT',
    kinds.integer(0, 1_000_000_000),
    `\`0\`, in production \`${PRODUCTION_REQUESTS_PER_MINUTE}\``,
    'Number of requests that a caller may send per minute; beyond it, 429. `0` means no limit.',
  ),
  corsOrigins: optional(
    'CORS_ORIGINS',
    kinds.origins,
    'in production those of the server itself, else any of this machine',
    'Origins whose pages may call the API (CORS), over REST, GraphQL, server-sent events and WebSocket; `*` allows any.',
  ),
  corsHeaders: optional(
    'CORS_HEADERS',
    kinds.fieldNames,
    'only those of the operation',
    'Header fields that pages of other origins may send, in addition to those of the contract and of traces.',
  ),
  bodyLimitBytes: required(
    'BODY_LIMIT_BYTES',
    kinds.integer(1, MAX_BODIES_BYTES),
    '1048576',
    'Maximum size of a request body, unless its `maxLength` sets another; beyond it, 413.',
  ),
  headersTimeoutMs: required(
    'HEADERS_TIMEOUT_MS',
    milliseconds,
    '5000',
    'Time limit for receiving the header section of a request.',
  ),
  requestTimeoutMs: required('REQUEST_TIMEOUT_MS', milliseconds, '10000', 'Time limit for receiving a whole request.'),
  keepAliveTimeoutMs: required(
    'KEEP_ALIVE_TIMEOUT_MS',
    milliseconds,
    '72000',
    'Time for which an idle connection stays open. It should be longer than that of a proxy in front of the server.',
  ),
  maxConcurrentRequests: divided(
    required(
      'MAX_CONCURRENT_REQUESTS',
      kinds.integer(1, 1_000_000),
      '500',
      'Number of requests that are processed or wait at the same time; beyond it, 503.',
    ),
  ),
  jobsAtOnce: divided(
    required(
      'JOBS_AT_ONCE',
      kinds.integer(0, 1_000),
      '4',
      'Number of [jobs](jobs.md) that run at the same time. With `0`, other instances run them.',
    ),
  ),
  maxWaitMs: required(
    'MAX_WAIT_MS',
    milliseconds,
    '250',
    'Time for which requests may wait, estimated from the speed of those before them; beyond it, 503. A hundred may always wait.',
  ),
  maxSocketsPerCaller: divided(
    required(
      'MAX_SOCKETS_PER_CALLER',
      kinds.integer(1, 1_000_000),
      '1000',
      'Number of WebSockets that a caller may have open on this server; beyond it, 503.',
    ),
  ),
  shutdownDelayMs: optional(
    'SHUTDOWN_DELAY_MS',
    kinds.integer(0, 3_600_000),
    '`0`, in production `500`',
    'Time for which a stopping server still serves while `/readyz` is 503, so that a load balancer notices.',
  ),
  shutdownTimeoutMs: required(
    'SHUTDOWN_TIMEOUT_MS',
    milliseconds,
    '10000',
    'Time limit for running requests when the server stops, after `SHUTDOWN_DELAY_MS`.',
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

type Settings = typeof settings;

/** The value of every setting; undefined for an unset one without a default. */
export type SettingValues = {
  readonly [K in keyof Settings]: Settings[K] extends Setting<infer T>
    ? Settings[K] extends RequiredSetting<T>
      ? T
      : T | undefined
    : never;
};
