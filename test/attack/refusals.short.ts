import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../scale/support/bare-database.ts';
import { subscribed } from './rows/frames.ts';
import { filtered, LINE_FEEDS, underNames, WRONG_FILTERS } from './rows/graphql-bodies.ts';
import { calling, WRONG_ARGUMENTS } from './rows/tool-bodies.ts';
import { AttackedServer } from './support/attacked-server.ts';
import { compared, cpuHere, cpuThere } from './support/cpu.ts';
import { type Dataset, filled } from './support/dataset.ts';
import { JSON_FORMS, type JsonForm } from './support/json-forms.ts';
import { request } from './support/requests.ts';
import { AttackSocket } from './support/socket.ts';
import { nextNetwork, Target } from './support/target.ts';
import { Wire } from './support/wire.ts';

const MIB = 2 ** 20;
/** As large as an operation of GraphQL may be. */
const LARGEST_OPERATION = 256 * 2 ** 10 - 300;
/** Beyond so many values, a body is not parsed. */
const MANY_VALUES = 10_000;
const MOST_TIMES = 8;
/** Of one operation. */
const MOST_COST = 1_000;
/** As many as the longest page has. */
const ROWS = 100;

const FORMS = Object.keys(JSON_FORMS) as JsonForm[];
const valuesIn = (text: string): number => text.match(/[,[{]/g)!.length;

const GRAPHQL = [
  ...Object.entries(WRONG_FILTERS).map(([what, filter]) => [what, filtered(filter)] as const),
  ['faults below 15,000 line feeds', LINE_FEEDS] as const,
  ...FORMS.map((form) => [`${form}, 256 KiB`, filtered(JSON_FORMS[form](LARGEST_OPERATION))] as const),
  ...FORMS.map((form) => [`${form}, 1 MiB`, filtered(JSON_FORMS[form](MIB - 300))] as const),
];
const REST = FORMS.map((form) => {
  const value = JSON_FORMS[form](MIB - 60);
  return [`${form}, 1 MiB`, value.startsWith('{') ? value : `{"note":${value}}`] as const;
});
const MCP = [
  ...Object.entries(WRONG_ARGUMENTS).map(([what, args]) => [what, calling('listProducts', args)] as const),
  ...FORMS.map((form) => {
    const value = JSON_FORMS[form](MIB - 200);
    return [`${form}, 1 MiB`, calling('listProducts', value.startsWith('{') ? value : `{"name":${value}}`)] as const;
  }),
];
const UNPARSED = [
  ...GRAPHQL.map(([what, body]) => [what, '/graphql', body] as const),
  ...REST.map(([what, body]) => [what, '/v1/orders', body] as const),
  ...MCP.map(([what, body]) => [what, '/mcp', body] as const),
].filter(([, , body]) => valuesIn(body) > MANY_VALUES);
const REFUSED = new Set([200, 400, 413]);

describe.runIf(process.platform === 'linux')('on the main thread, to refuse', () => {
  let dataset: Dataset;
  let server: AttackedServer;
  let target: Target;
  /** What it takes to refuse a body of a few bytes. */
  let refusalMs: number;

  beforeAll(async () => {
    dataset = await filled(databaseKinds[0]!, 'storefront', ROWS);
    server = await AttackedServer.start('storefront', dataset);
    target = new Target({ port: server.port, network: nextNetwork(), rows: ROWS });
    const wire = await Wire.open(server.port, target.address());
    const small = request('POST', '/graphql', { body: '{"query":"{"}' });
    refusalMs = await cpuThere(server, () => wire.send(small));
    wire.close();
  });
  afterAll(async () => {
    await server?.close();
    await dataset.close();
  });

  /** In addition to the CPU of any refusal. */
  async function expectFewTimes(spentMs: () => Promise<number>, { length }: string): Promise<void> {
    const keys = JSON_FORMS['unknown keys'](length);
    const { times, words } = await compared(
      MOST_TIMES,
      async () => (await spentMs()) - refusalMs,
      () => cpuHere(() => JSON.parse(keys)),
    );
    expect(times, words).toBeLessThanOrEqual(MOST_TIMES);
  }

  async function expectCheap(body: string, message: () => Buffer, statuses: ReadonlySet<number>): Promise<void> {
    await expectFewTimes(async () => {
      const address = target.address();
      let wire = await Wire.open(server.port, address);
      const answered: number[] = [];
      const spent = await cpuThere(server, async () => {
        if (!wire.isOpen) wire = await Wire.open(server.port, address);
        answered.push((await wire.send(message())).status);
      });
      wire.close();
      expect(answered.filter((status) => !statuses.has(status))).toEqual([]);
      return spent;
    }, body);
  }

  it.each([9, 15])('a text under %i names is in an answer as often as objects may be', async (names) => {
    const wire = await Wire.open(server.port, target.address());
    const { status, body } = await wire.send(request('POST', '/graphql', { body: underNames(names) }));
    wire.close();
    expect([200, 400]).toContain(status);
    expect(body.match(/"a\d+":"/g)?.length ?? 0).toBeLessThanOrEqual(MOST_COST);
  });

  it.each(GRAPHQL)('%s for /graphql takes a few times what parsing takes', async (_, body) => {
    await expectCheap(body, () => request('POST', '/graphql', { body }), REFUSED);
  });

  it.each(MCP)('%s for a tool takes a few times what parsing takes', async (_, body) => {
    await expectCheap(body, () => request('POST', '/mcp', { body }), REFUSED);
  });

  it.each(REST)('%s under an Idempotency-Key takes a few times what parsing takes', async (_, body) => {
    const token = target.token('orders:write');
    let keys = 0;
    const message = () =>
      request('POST', '/v1/orders', { token, body, fields: { 'Idempotency-Key': `key-${keys++}` } });
    await expectCheap(body, message, new Set([400, 413]));
  });

  it.each(UNPARSED)('%s for %s is not parsed', async (_, path, body) => {
    const token = path === '/v1/orders' ? target.token('orders:write') : undefined;
    const wire = await Wire.open(server.port, target.address());
    await server.work();
    const { status } = await wire.send(request('POST', path, { body, token }));
    const { longestParsed } = await server.work();
    wire.close();
    expect(status).toBe(413);
    expect(longestParsed).toBeLessThan(body.length);
  });

  it.each(Object.entries(WRONG_FILTERS))('%s over a socket takes a few times what parsing takes', async (_, filter) => {
    const body = filtered(filter);
    await expectFewTimes(async () => {
      const socket = await AttackSocket.open(server.port, target.address());
      let sent = 0;
      const spent = await cpuThere(server, () => {
        socket.send(subscribed(body)(sent));
        return socket.answered(++sent);
      });
      socket.close();
      return spent;
    }, body);
  });
});
