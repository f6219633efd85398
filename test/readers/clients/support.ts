import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { ContractModel } from '../../../src/compiler/model/model.ts';
import type { Language } from '../../../src/readers/clients/index.ts';
import { guidePages } from '../../../src/readers/docs/guides/guides.ts';
import { Reference } from '../../../src/readers/docs/reference/reference.ts';
import { printed } from '../../scripts/support/started.ts';
import { endedByTests } from '../../support/clean-up.ts';
import { Command, runHere } from '../../support/command.ts';
import { Instance, tokenOf } from '../../support/instance.ts';
import { admin, customer } from '../../support/storefront.ts';

const execute = promisify(execFile);

/** What the programs in other languages are told, as environment variables. */
export interface Surroundings {
  readonly API_URL: string;
  /** The same API, which answers three requests a minute. */
  readonly LIMITED_URL: string;
  /** The same API, whose every first answer to a path is 503 with `Retry-After: 1`. */
  readonly BUSY_URL: string;
  /** The same API, whose answers have a `Consistency-Token` that is one after that of the request: `s1` without one. */
  readonly COUNTING_URL: string;
  /** The same API a version later: another status, another property, another code. */
  readonly NEWER_URL: string;
  readonly CUSTOMER_TOKEN: string;
  readonly STAFF_TOKEN: string;
}

/** Starts the storefront, with neighbours that answer as servers do on worse days. */
export async function startSurroundings(): Promise<Surroundings> {
  const folders = await Promise.all([temporaryFolder(), temporaryFolder()]);
  const [api, limited] = await Promise.all([
    Instance.start({ DATA_DIR: folders[0] }),
    Instance.start({ DATA_DIR: folders[1], RATE_LIMIT: '3' }),
  ]);
  const CUSTOMER_TOKEN = tokenOf(customer);
  await register(api.base, CUSTOMER_TOKEN);
  return {
    API_URL: api.base,
    LIMITED_URL: limited.base,
    BUSY_URL: await listening(busy(api.origin)),
    COUNTING_URL: await listening(counting(api.origin)),
    NEWER_URL: await listening(newer(api.origin)),
    CUSTOMER_TOKEN,
    STAFF_TOKEN: tokenOf(admin),
  };
}

/** Removed when the tests of the file are done. */
async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-client-'));
  endedByTests(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Orders belong to a user. */
async function register(base: string, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ email: 'ada@example.com', name: 'Ada Lovelace' });
  const { status } = await fetch(`${base}/users`, { method: 'POST', headers, body });
  expect(status).toBe(201);
}

/** Turns away every other request. */
function busy(origin: string): RequestListener {
  let isTurnedAway = false;
  return async (request, response) => {
    isTurnedAway = !isTurnedAway;
    if (isTurnedAway) {
      response.writeHead(503, { 'Retry-After': '1' }).end();
      return;
    }
    const answer = await forward(origin, request);
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
  };
}

function counting(origin: string): RequestListener {
  return async (request, response) => {
    const token = Number(String(request.headers['consistency-token'] ?? 's0').slice(1));
    const answer = await forward(origin, request);
    const headers = { 'Content-Type': 'application/json', 'Consistency-Token': `s${token + 1}` };
    response.writeHead(answer.status, headers).end(await answer.text());
  };
}

function newer(origin: string): RequestListener {
  return async (request, response) => {
    const answer = await forward(origin, request);
    const type = answer.headers.get('Content-Type')!;
    response.writeHead(answer.status, { 'Content-Type': type });
    if (request.method === 'POST') {
      response.end((await answer.text()).replaceAll('"status":"DRAFT"', '"status":"PREORDER"'));
      return;
    }
    const body = { ...((await answer.json()) as object), colour: 'blue' };
    const change = answer.ok ? { status: 'PREORDER' } : { code: 'GONE_FISHING' };
    response.end(JSON.stringify({ ...body, ...change }));
  };
}

/** What the API answers to a request, or to a document that is posted. */
async function forward(origin: string, request: IncomingMessage): Promise<Response> {
  if (request.method !== 'POST') return fetch(origin + request.url);
  const headers = { 'Content-Type': 'application/json', Accept: request.headers.accept ?? '*/*' };
  return fetch(origin + request.url, { method: 'POST', headers, body: await text(request) });
}

/** Base URL of a server that answers so. */
async function listening(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endedByTests(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** Starts the mock, whose rows the documentation's samples are about; its address, and the token of who may do most. */
export async function startMock(): Promise<{ readonly origin: string; readonly TOKEN: string }> {
  const mock = new Command('scripts/mock.ts', [], { PORT: '0', LOG_LEVEL: 'error', RATE_LIMIT: '0' });
  const { base, tokens } = printed(await mock.output(/Ctrl-C/));
  return { origin: new URL(base).origin, TOKEN: Object.values(tokens).at(-1)! };
}

/**
 * The programs of a contract's guides that use a client, in a language; last what follows a subscription, if anything does. `base`: the
 * URL of the API.
 */
export async function guideSamples(label: string, model: ContractModel, base: string): Promise<readonly string[]> {
  const endpoint = new URL('/graphql', base).href;
  const pages = await guidePages(new Reference(model, { base, endpoint, graphiql: 'docs/graphiql.html' }), []);
  const texts = await Promise.all(pages.map(({ text }) => text()));
  const samples = texts.flatMap((text) =>
    [...text.matchAll(/^```\w+ (\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, of, source = '']) =>
      of === label ? [source] : [],
    ),
  );
  return [...new Set(samples)].sort((a, b) => Number(follows(a)) - Number(follows(b)));
}

const follows = (source: string): boolean => source.includes('Read again what is watched.');

/** Runs the program that follows the product of the samples until it has printed a change of it. */
export async function expectEvents(
  program: string,
  cwd: string,
  { origin, TOKEN }: Awaited<ReturnType<typeof startMock>>,
) {
  const product = `${origin}/v1/products/01942075-d220-7e39-b67b-6cff93a6d0ca`;
  const change = `curl -sf -o /dev/null -X PATCH ${product} -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d`;
  const script = `${program} > followed.txt & PID=$!
for stock in $(seq 1 600); do ${change} "{\\"stock\\": $stock}"; sleep 0.2; [ -s followed.txt ] && break; done
kill $PID || true; cat followed.txt`;
  expect(await sh(script, cwd, { TOKEN })).toMatch(/stock/i);
}

/** Runs programs by the names of their packages; starting a virtual machine for each would take longest. */
export const ALL_IN_JAVA = `class All {
  public static void main(String[] names) throws Exception {
    for (var name : names) {
      var main = Class.forName(name + ".Example").getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) new String[0]);
    }
  }
}
`;

/** Documents of one's own, beside those that the client has for each root field. */
const DOCUMENTS = ['--documents', 'test/readers/clients/documents'];

/** Makes the client of a contract in a folder of its own; the folder. */
export async function makeClient(
  language: Language,
  contracts = 'contracts',
  packageName?: string,
  options: readonly string[] = [],
): Promise<string> {
  const documents = contracts === 'contracts' ? DOCUMENTS : [];
  const out = await temporaryFolder();
  const named = packageName === undefined ? [] : ['--package', packageName];
  const args = ['--contracts', contracts, '--language', language, '--out', out, ...named, ...documents, ...options];
  const { code, stdout, stderr } = await runHere('scripts/clients.ts', args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`${language}/README.md`);
  return join(out, language);
}

/** A compiler that ends before what a server would optimise pays. */
export const JAVAC = 'javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -encoding UTF-8';

/** Runs a command; what it wrote. Rejects, with that in its message, when the command fails. */
export async function sh(
  command: string,
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...process.env, ...environment };
  const { stdout, stderr } = await execute('bash', ['-ec', command], { cwd, env, maxBuffer: 2 ** 26 }).catch(
    (error) => {
      throw new Error(`${command}: ${error.stdout}${error.stderr}`);
    },
  );
  return stdout + stderr;
}

/** The first command and the examples of a client's README: the first, and that of GraphQL. */
export async function quickStart(
  folder: string,
): Promise<{ readonly install: string; readonly example: string; readonly overGraphql: string }> {
  const text = await readFile(join(folder, 'README.md'), 'utf8');
  const install = /^((?: {4}.+\n)+)/m.exec(text)![1]!;
  const [example, overGraphql] = [...text.matchAll(/^```\w+\n(.+?)^```$/gms)].map(([, code]) => code!);
  return { install: install.replace(/^ {4}/gm, ''), example: example!, overGraphql: overGraphql! };
}
