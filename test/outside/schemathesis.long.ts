import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { pythonEnvironment } from '../../src/readers/clients/python/python-environment.ts';
import { endedByTests } from '../support/clean-up.ts';
import type { Environment } from '../support/command.ts';
import { Instance, tokenOf } from '../support/instance.ts';
import { hasPostgres, makeDatabase } from '../support/postgres.ts';
import { hasRedis, REDIS_URL } from '../support/redis.ts';
import { admin, type Caller, customer } from '../support/storefront.ts';
import { oneIn } from '../support/thorough.ts';
import { hasToolchain } from '../support/toolchains.ts';

const root = join(import.meta.dirname, '..', '..');
const configurations = join(import.meta.dirname, 'schemathesis');

const CALLERS = oneIn(3, [
  ['a customer', customer],
  ['an administrator', admin],
  ['nobody', undefined],
] as const);

const FOUND_NOTHING = /[1-9]\d* generated, [1-9]\d* passed/;

/** What a server is started with; row-level security is for contracts with tenants. */
const SET_UPS: readonly (readonly [string, () => Promise<Environment>])[] = [
  ['SQLite', async () => ({ DATA_DIR: await temporaryFolder() })],
  ...(hasPostgres
    ? ([
        ['Postgres', async () => ({ DATABASE_URL: await makeDatabase() })],
        ...(hasRedis ? ([['Postgres and Redis', withRedis]] as const) : []),
      ] as const)
    : []),
];

const TRIED = oneIn(3, SET_UPS);
/** How many requests of a kind, in a short run and in a thorough one. */
const EXAMPLES = TRIED.length > 1 ? '8' : '3';

describe.runIf(hasToolchain('python')).concurrent.each(TRIED)('Schemathesis finds nothing on %s', (_, setUp) => {
  let command: string;
  let origin: string;

  beforeAll(async () => {
    const [environment, instance] = await Promise.all([
      pythonEnvironment('schemathesis-4.32.5', join(configurations, 'requirements.txt')),
      setUp().then(startStorefront),
    ]);
    command = join(environment.bin, 'schemathesis');
    origin = instance.origin;
  });

  const find = (configuration: string, document: string, path: string, caller: Caller | undefined, args: string[]) =>
    run(command, [
      ...['--config-file', `${configuration}.toml`],
      ...['run', join(root, 'generated', document), '--url', origin + path, ...args],
      ...(caller ? ['--header', `Authorization: Bearer ${tokenOf(caller)}`] : []),
      ...['--seed', '1', '--generation-database', 'none', '--no-shrink', '--no-color', '--max-examples', EXAMPLES],
    ]);

  const checks = ['--checks', 'all', '--exclude-checks', 'positive_data_acceptance'];

  // It takes longest, and asks the same of everybody: once is enough.
  test('as an administrator over REST, by each keyword of each schema, kept and broken', async () => {
    const args = [...checks, '--phases', 'coverage'];
    expect(await find('rest', 'openapi.json', '/v1', admin, args)).toMatch(FOUND_NOTHING);
  });

  test.each(CALLERS)('as %s over REST', async (_, caller) => {
    const args = [...checks, '--phases', 'examples,fuzzing,stateful'];
    expect(await find('rest', 'openapi.json', '/v1', caller, args)).toMatch(FOUND_NOTHING);
  });

  test('as an administrator over REST, whose requests by the document are accepted', async () => {
    const args = ['--checks', 'positive_data_acceptance', '--mode', 'positive'];
    expect(await find('accepted', 'openapi.json', '/v1', admin, args)).toMatch(FOUND_NOTHING);
  });

  test.each(CALLERS)('as %s over GraphQL', async (_, caller) => {
    const args = ['--checks', 'no_fault_of_the_server'];
    expect(await find('graphql', 'schema.graphql', '/graphql', caller, args)).toMatch(FOUND_NOTHING);
  });
});

/** The storefront as production serves it, with the customer among its users. */
async function startStorefront(environment: Environment): Promise<Instance> {
  const instance = await Instance.start(environment);
  const headers = { authorization: `Bearer ${tokenOf(customer)}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'ada@example.com', name: 'Ada Lovelace' });
  expect((await fetch(`${instance.base}/users`, { method: 'POST', headers, body })).status).toBe(201);
  return instance;
}

/** What a command wrote beside the configurations. Rejects, with that in its message, when it fails. */
async function run(command: string, args: readonly string[]): Promise<string> {
  // It keeps what it finds, which no other run is to meet.
  const cwd = await temporaryFolder();
  await cp(configurations, cwd, { recursive: true });
  const settings = { cwd, maxBuffer: 2 ** 26, env: { ...process.env, COLUMNS: '200' } };
  return new Promise((resolve, reject) => {
    execFile(command, args, settings, (error, stdout, stderr) =>
      error ? reject(new Error(`${stdout}${stderr}`)) : resolve(stdout),
    );
  });
}

async function withRedis(): Promise<Environment> {
  return { DATABASE_URL: await makeDatabase(), REDIS_URL, RATE_LIMIT: '1000000' };
}

/** Removed when the tests of the file are done. */
async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-schemathesis-'));
  endedByTests(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
