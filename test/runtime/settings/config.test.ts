import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/descriptor/config-error.ts';
import { readConfig } from '../../../src/runtime/settings/config.ts';
import { settings } from '../../../src/runtime/settings/settings.ts';
import { settingsTable } from '../../../src/runtime/settings/settings-table.ts';
import { documentText } from '../../support/documents.ts';

const SECRET = 'a secret that nobody guesses, of 44 bytes...';
const PUBLIC_KEY = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
const JWKS_URL = 'https://issuer.example/keys';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
}

describe('settings', () => {
  it('all have a default in development', () => {
    expect(readConfig({})).toEqual({
      environment: 'development',
      isProduction: false,
      host: '127.0.0.1',
      port: 3000,
      workers: 1,
      trustProxy: 0,
      dataDir: resolve('data'),
      database: { kind: 'sqlite', file: resolve('data', 'lockstep.db') },
      databaseConnections: 10,
      databaseRls: false,
      groupInserts: true,
      statementTimeoutMs: 1_500,
      serveReadsOnly: false,
      migrateAtBoot: true,
      migratesUnasked: true,
      migrationsDir: resolve('migrations'),
      sqliteSynchronous: 'normal',
      keys: undefined,
      jwtLeewayS: 30,
      logLevel: 'info',
      traceShare: 1,
      checkResponses: true,
      introspection: true,
      graphiql: true,
      listCacheMb: 64,
      redisPrefix: 'lockstep',
      requestsPerMinute: 0,
      keepAliveTimeoutMs: 72_000,
      maxConcurrentRequests: 500,
      jobsAtOnce: 4,
      maxDependants: 10_000,
      maxSocketsPerCaller: 1_000,
      maxWaitMs: 250,
      shutdownDelayMs: 0,
      bodyLimitBytes: 1_048_576,
      corsOrigins: 'this-machine',
      headersTimeoutMs: 5_000,
      requestTimeoutMs: 10_000,
      shutdownTimeoutMs: 10_000,
    });
  });

  it('an empty variable counts as unset', () => {
    const empty = Object.fromEntries(Object.values(settings).map(({ variable }) => [variable, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it('are read from the environment', () => {
    const config = readConfig({
      HOST: '::1',
      PORT: '0',
      DATA_DIR: '/srv/data',
      PUBLIC_URL: 'https://api.example/shop/',
      JWT_SECRET: SECRET,
      TRUST_PROXY: '10.0.0.0/8, ::1',
      CHECK_RESPONSES: 'false',
    });
    expect(config).toMatchObject({
      host: '::1',
      port: 0,
      dataDir: '/srv/data',
      database: { kind: 'sqlite', file: join('/srv/data', 'lockstep.db') },
      publicUrl: 'https://api.example/shop',
      keys: { kind: 'secret', algorithms: ['HS256'] },
      trustProxy: ['10.0.0.0/8', '::1'],
      checkResponses: false,
    });
  });

  it('DATABASE_RLS needs a Postgres', () => {
    expect(() => readConfig({ DATABASE_RLS: 'true' })).toThrow(
      'only a Postgres at DATABASE_URL has row-level security',
    );
    expect(readConfig({ DATABASE_RLS: 'true', DATABASE_URL: 'postgres://u:p@db/shop' }).databaseRls).toBe(true);
  });

  it.each(['sqlite:/srv/rows.db', 'sqlite:///srv/rows.db'])('DATABASE_URL=%s names a file', (DATABASE_URL) => {
    expect(readConfig({ DATABASE_URL }).database).toEqual({ kind: 'sqlite', file: '/srv/rows.db' });
  });

  it.each([
    ['NODE_ENV', 'staging', 'accepts `development`, `production`, `test`, not "staging".'],
    ['HOST', 'http://localhost', 'accepts an IP address or a host name, not "http://localhost".'],
    ['PORT', '65536', 'accepts a whole number from 0 to 65535, not "65536".'],
    ['PORT', '3e3', 'accepts a whole number from 0 to 65535, not "3e3".'],
    ['PORT', '-1', 'accepts a whole number from 0 to 65535, not "-1".'],
    ['PUBLIC_URL', 'api.example', 'accepts an `http:` or `https:` URL without a query, not "api.example".'],
    [
      'PUBLIC_URL',
      'https://api.example?a',
      'accepts an `http:` or `https:` URL without a query, not "https://api.example?a".',
    ],
    [
      'TRUST_PROXY',
      'true',
      'accepts a number of hops from 0 to 9, or IP addresses and subnets separated by commas, not "true".',
    ],
    [
      'TRUST_PROXY',
      '0.0.0.0/0',
      'accepts a number of hops from 0 to 9, or IP addresses and subnets separated by commas, not "0.0.0.0/0".',
    ],
    ['CORS_HEADERS', '*', 'accepts names of header fields separated by commas, without `*`, not "*".'],
    ['CORS_HEADERS', 'X-A, *', 'accepts names of header fields separated by commas, without `*`, not "X-A, *".'],
    ['CORS_HEADERS', 'X-A,', 'accepts names of header fields separated by commas, without `*`, not "X-A,".'],
    ['CORS_HEADERS', 'X A', 'accepts names of header fields separated by commas, without `*`, not "X A".'],
    [
      'DATABASE_URL',
      'postgres://u:hidden@h',
      'accepts `sqlite:` and the path of a file, or a `postgres:` URL with the name of a database.',
    ],
    [
      'DATABASE_URL',
      'sqlite::memory:',
      'accepts `sqlite:` and the path of a file, or a `postgres:` URL with the name of a database.',
    ],
    ['SQLITE_SYNCHRONOUS', 'off', 'accepts `normal`, `full`, not "off".'],
    ['JWT_SECRET', 'hidden', 'accepts a secret of at least 32 bytes.'],
    ['JWT_PUBLIC_KEY', 'hidden', 'accepts a public key in PEM.'],
    [
      'JWT_JWKS_URL',
      'http://issuer.example/keys',
      'accepts an `https:` URL (`http:` for this machine only), not "http://issuer.example/keys".',
    ],
    ['LOG_LEVEL', 'verbose', 'accepts `fatal`, `error`, `warn`, `info`, `debug`, `trace`, `silent`, not "verbose".'],
    ['CHECK_RESPONSES', 'yes', 'accepts `true`, `false`, not "yes".'],
    ['BODY_LIMIT_BYTES', '1mb', 'accepts a whole number from 1 to 67108864, not "1mb".'],
    ['BODY_LIMIT_BYTES', '67108865', 'accepts a whole number from 1 to 67108864, not "67108865".'],
  ])('%s=%s is refused', (variable, text, message) => {
    expect(problemsOf({ [variable]: text })).toEqual([`${variable} ${message}`]);
  });

  it('are all checked, and reported together', () => {
    const problems = problemsOf({ PORT: 'x', LOG_LEVEL: 'x', JWT_SECRET: 'x' });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['PORT', 'JWT_SECRET', 'LOG_LEVEL']);
  });

  it('what helps in development is off in production by default', () => {
    const production = { NODE_ENV: 'production', JWT_SECRET: SECRET };
    const off = { checkResponses: false, introspection: false, graphiql: false };
    expect(readConfig(production)).toMatchObject(off);
    const asked = { CHECK_RESPONSES: 'true', GRAPHQL_INTROSPECTION: 'true', GRAPHIQL: 'true' };
    const on = { checkResponses: true, introspection: true, graphiql: true };
    expect(readConfig({ ...production, ...asked })).toMatchObject(on);
  });

  it('HEADERS_TIMEOUT_MS is part of REQUEST_TIMEOUT_MS', () => {
    expect(problemsOf({ REQUEST_TIMEOUT_MS: '4999' })).toEqual([
      'HEADERS_TIMEOUT_MS must not be greater than REQUEST_TIMEOUT_MS.',
    ]);
  });
});

describe('keys of tokens', () => {
  it.each([
    ['secret', { JWT_SECRET: SECRET }],
    ['public', { JWT_PUBLIC_KEY: PUBLIC_KEY }],
    ['remote', { JWT_JWKS_URL: JWKS_URL }],
    ['remote', { JWT_JWKS_URL: 'http://localhost:8080/keys' }],
    ['issuers', { JWT_ISSUER: 'https://a.example, https://b.example/b/' }],
    ['secret', { JWT_ISSUER: 'https://a.example', JWT_SECRET: SECRET }],
    [undefined, { JWT_ISSUER: 'https://a.example,b' }],
    [undefined, { JWT_ISSUER: 'http://a.example' }],
  ])('are %s', (kind, environment) => {
    expect(readConfig(environment as Record<string, string>).keys?.kind).toBe(kind);
  });

  it('come from one variable', () => {
    expect(problemsOf({ JWT_SECRET: SECRET, JWT_JWKS_URL: JWKS_URL })).toEqual([
      'JWT_JWKS_URL, JWT_PUBLIC_KEY, JWT_SECRET: only one of them may be set.',
    ]);
  });

  it('name a folder of migrations that is there', () => {
    expect(problemsOf({ MIGRATIONS_DIR: '/nowhere' })).toEqual([
      'MIGRATIONS_DIR accepts an existing folder, not "/nowhere".',
    ]);
    expect(problemsOf({ MIGRATIONS_DIR: import.meta.dirname })).toEqual([]);
  });

  it('must be set in production', () => {
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
      'JWT_JWKS_URL, JWT_PUBLIC_KEY, JWT_SECRET: one of them, or a URL as JWT_ISSUER, must be set in production.',
    ]);
    expect(problemsOf({ NODE_ENV: 'production', JWT_SECRET: SECRET })).toEqual([]);
  });

  it.each([
    ['a'.repeat(64), 'has fewer than 8 different characters'],
    ['0123456'.repeat(6), 'has fewer than 8 different characters'],
    ['change-me-change-me-change-me-change-me', 'is one text over and over'],
    ['0123456789abcdef'.repeat(4), 'is one text over and over'],
    ['a-string-secret-at-least-256-bits-long', 'is one that is published as an example'],
  ])('cannot be the secret %s in production', (JWT_SECRET, weakness) => {
    expect(problemsOf({ NODE_ENV: 'production', JWT_SECRET })).toEqual([
      `JWT_SECRET ${weakness}. Make one with \`openssl rand -hex 32\`.`,
    ]);
    expect(problemsOf({ JWT_SECRET })).toEqual([]);
  });

  it('may be any secret made at random', () => {
    const made = Array.from({ length: 200 }, () => randomBytes(32).toString('hex'));
    const others = [randomBytes(24).toString('base64')];
    for (const JWT_SECRET of [...made, ...others])
      expect(problemsOf({ NODE_ENV: 'production', JWT_SECRET })).toEqual([]);
  });

  it("of another's need the issuer and the audience in production", () => {
    const production = { NODE_ENV: 'production', JWT_JWKS_URL: JWKS_URL };
    expect(problemsOf(production).map((problem) => problem.split(' ')[0])).toEqual(['JWT_ISSUER', 'JWT_AUDIENCE']);
    expect(problemsOf({ ...production, JWT_ISSUER: 'i', JWT_AUDIENCE: 'a' })).toEqual([]);
    const discovered = { NODE_ENV: 'production', JWT_ISSUER: 'https://a.example' };
    expect(problemsOf(discovered)).toEqual(['JWT_AUDIENCE must be set in production unless JWT_SECRET is.']);
    expect(problemsOf({ ...discovered, JWT_AUDIENCE: 'a' })).toEqual([]);
  });
});

describe('the table of settings', () => {
  it('has a row with four cells for each setting', () => {
    const rows = settingsTable().split('\n').slice(2);
    expect(rows.map((row) => row.split(' | ')[0])).toEqual(
      Object.values(settings).map(({ variable }) => `| \`${variable}\``),
    );
    for (const row of rows) expect(row.split(' | ')).toHaveLength(4);
  });

  it('is in docs/settings.md as `npm run settings` writes it', () => {
    expect(documentText('settings.md')).toContain(`\n<!-- settings -->\n${settingsTable()}\n<!-- /settings -->\n`);
  });
});
