import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../scale/support/bare-database.ts';
import { eventually } from '../support/eventually.ts';
import { subscribed } from './rows/frames.ts';
import { filtered, WRONG_FILTERS } from './rows/graphql-bodies.ts';
import { beginSlowBodies, slowHead } from './rows/slow-bodies.ts';
import { calling, WRONG_ARGUMENTS } from './rows/tool-bodies.ts';
import { AttackedServer } from './support/attacked-server.ts';
import { contracts } from './support/contracts.ts';
import { type Dataset, filled } from './support/dataset.ts';
import { aheadOf } from './support/overtaking.ts';
import { request } from './support/requests.ts';
import { AttackSocket } from './support/socket.ts';
import { tallyOf } from './support/tally.ts';
import { nextNetwork, Target } from './support/target.ts';
import { Wire } from './support/wire.ts';

/** Below what one caller may send in a minute. */
const REQUESTS = 240;
const SOCKETS = 3;
/** Of each socket; of all of them, more than one caller may send in a minute. */
const FRAMES = 500;
/** While so many frames of a socket wait, nothing more is read from it. */
const FRAMES_OF_A_SOCKET = 16;
/** More than a server processes at the same time. */
const SLOW = 520;
const READS = 100;
const HELD_MIB = 64;
/** What the server has in buffers otherwise. */
const OTHER_MIB = 64;
const MIB = 2 ** 20;
/** As many bodies of 1 MiB as one address may send at the same time. */
const LARGE = 30;
/** The first of each of them, what one turn begins to read, and what the turns before have left. */
const PARTS_OF_A_TURN = LARGE + 50;

const READ = request('GET', contracts.storefront.read);
const WRONG = filtered(WRONG_FILTERS['4,090 unknown fields']!);
const WRONG_CALL = calling('listProducts', WRONG_ARGUMENTS['9,000 unknown arguments']!);

describe.runIf(process.platform === 'linux')('callers in turn', () => {
  let dataset: Dataset;
  let server: AttackedServer;
  let target: Target;

  beforeAll(async () => {
    dataset = await filled(databaseKinds[0]!, 'storefront', 10);
    server = await AttackedServer.start('storefront', dataset);
    target = new Target({ port: server.port, network: nextNetwork(), rows: 10 });
  });
  afterAll(async () => {
    await server?.close();
    await dataset.close();
  });

  const opened = (count: number, address: string): Promise<Wire[]> =>
    Promise.all(Array.from({ length: count }, () => Wire.open(server.port, address)));

  it.each([
    ['bodies', 'one by one', REQUESTS, 1, request('POST', '/graphql', { body: WRONG })],
    ['bodies', 'pipelined', 4, REQUESTS / 4, request('POST', '/graphql', { body: WRONG })],
    ['tools', 'one by one', REQUESTS, 1, request('POST', '/mcp', { body: WRONG_CALL })],
    ['tools', 'pipelined', 4, REQUESTS / 4, request('POST', '/mcp', { body: WRONG_CALL })],
  ])('a read does not wait for the %s of another caller, sent %s', async (_, __, connections, each, message) => {
    const wires = await opened(connections, target.address());
    const [reader] = await opened(1, target.address());
    const { ahead, all } = await aheadOf(
      server,
      contracts.storefront.read,
      () => wires.flatMap((wire) => Array.from({ length: each }, () => wire.send(message))),
      async () => expect((await reader!.send(READ)).status).toBe(200),
    );
    for (const wire of [...wires, reader!]) wire.close();
    expect(ahead).toBeLessThan(all / 2);
  });

  it('a read does not wait for the operations that sockets of another caller bring', async () => {
    const address = target.address();
    const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => AttackSocket.open(server.port, address)));
    const [reader] = await opened(1, target.address());
    const { ahead, all } = await aheadOf(
      server,
      contracts.storefront.read,
      () => {
        for (let i = 0; i < REQUESTS; i++) sockets[i % SOCKETS]!.send(subscribed(WRONG)(i));
        return sockets.map((socket) => socket.answered(REQUESTS / SOCKETS));
      },
      async () => expect((await reader!.send(READ)).status).toBe(200),
    );
    for (const socket of sockets) socket.close();
    reader!.close();
    expect(ahead).toBeLessThan(all / 2);
  });

  it('of a socket, few frames are read in one turn', async () => {
    const address = target.address();
    const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => AttackSocket.open(server.port, address)));
    await server.work();
    for (const socket of sockets)
      socket.sendTogether(() => {
        for (let i = 0; i < FRAMES; i++) socket.send(subscribed('{"query":"{"}')(i));
      });
    const answers = await Promise.all(sockets.map((socket) => socket.answered(FRAMES)));
    const { mostFramesATurn } = await server.work();
    for (const socket of sockets) socket.close();
    expect(tallyOf(answers.flat())).toMatchObject({ TOO_MANY_REQUESTS: expect.any(Number) });
    expect(mostFramesATurn).toBeLessThanOrEqual(SOCKETS * FRAMES_OF_A_SOCKET);
  });

  it('of many large bodies, little is read in one turn', async () => {
    const wires = await opened(LARGE, target.address());
    const token = target.token('orders:write');
    const message = request('POST', '/v1/orders', { token, body: `{"note":"${'x'.repeat(MIB - 1_000)}"}` });
    await server.work();
    const statuses = (await Promise.all(wires.map((wire) => wire.send(message)))).map(({ status }) => status);
    const { mostPartsATurn } = await server.work();
    for (const wire of wires) wire.close();
    expect(tallyOf(statuses)).toEqual({ 400: LARGE });
    expect(mostPartsATurn).toBeLessThanOrEqual(PARTS_OF_A_TURN);
  });

  it('bodies that do not arrive take no places from others', async () => {
    const slow = await beginSlowBodies(target, SLOW, () => slowHead);
    await eventually(() => expect(slow.statuses).not.toEqual([]));
    const [reader] = await opened(1, target.address());
    const statuses: number[] = [];
    for (let i = 0; i < READS; i++) statuses.push((await reader!.send(READ)).status);
    for (const wire of [...slow.wires, reader!]) wire.close();
    expect(tallyOf(statuses)).toEqual({ 200: READS });
    expect(new Set(slow.statuses)).toEqual(new Set([503]));
  });

  it('bodies that do not arrive hold few bytes', async () => {
    const length = MIB - 1_000;
    const tokens = Array.from({ length: 2 }, () => target.token('orders:write'));
    const head = (i: number) =>
      request('POST', '/v1/orders', {
        token: tokens[i % 2],
        fields: { 'Content-Type': 'application/json', 'Content-Length': String(length) },
      });
    await server.work();
    const slow = await beginSlowBodies(target, 160, head, `{"note":"${'x'.repeat(length - 20)}`);
    const [reader] = await opened(1, target.address());
    for (let i = 0; i < READS; i++) await reader!.send(READ);
    const { mostBufferBytes } = await server.work();
    for (const wire of [...slow.wires, reader!]) wire.close();
    expect(mostBufferBytes / MIB).toBeLessThanOrEqual(HELD_MIB + OTHER_MIB);
    expect(new Set(slow.statuses)).toEqual(new Set([503]));
  });
});
