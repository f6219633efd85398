import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, type Json, Shop } from '../../support/storefront.ts';
import { siteOf } from './support/site-of.ts';

describe('the guide to subscriptions', () => {
  let shop: Shop;
  let guide = '';
  let url = '';
  let token = '';

  beforeAll(async () => {
    shop = await Shop.open(databases[0]!);
    url = `ws://127.0.0.1:${await shop.listen()}/graphql`;
    token = await tokenOf({ sub: admin.subject, scope: admin.scope });
    guide = String((await siteOf('contracts')).get('docs/guides/subscriptions.md'));
  });
  afterAll(() => shop.close());

  /** Sends frames one after the other, and gives what comes until a type of frame, or the code that closes the socket. */
  const answers = async (frames: readonly object[], until: string, protocol = 'graphql-transport-ws') => {
    const socket = new WebSocket(url, protocol === '' ? [] : protocol);
    const received: Json[] = [];
    const ended = Promise.withResolvers<void>();
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data));
      received.push(frame);
      const next = frame.type === 'connection_ack' ? frames.slice(1) : [];
      for (const one of next) socket.send(JSON.stringify(one));
      if (frame.type === until) ended.resolve();
    });
    socket.on('close', (code) => {
      received.push(code);
      ended.resolve();
    });
    await once(socket, 'open');
    socket.send(JSON.stringify(frames[0]));
    await ended.promise;
    socket.terminate();
    return received;
  };

  it('shows frames as the server takes and sends them', async () => {
    const [, block = ''] = /```text\n([\s\S]*?)```/.exec(guide) ?? [];
    const frames = block
      .replace('Bearer …', `Bearer ${token}`)
      .split('\n')
      .filter(Boolean)
      .map((line) => [line[0], JSON.parse(line.slice(2))] as const);
    const [init, ack, subscribe, next, complete] = frames.map(([, frame]) => frame);
    expect(frames.map(([from]) => from).join('')).toBe('><><>');
    const { id } = await shop.product();
    const example = subscribe.payload.variables.id;
    expect(example).toBe(Object.values<Json>(next.payload.data)[0].id);
    subscribe.payload.variables.id = id;
    const socket = new WebSocket(url, 'graphql-transport-ws');
    const received: Json[] = [];
    socket.on('message', (data) => received.push(JSON.parse(String(data))));
    await once(socket, 'open');
    socket.send(JSON.stringify(init));
    await eventually(() => expect(received).toEqual([ack]));
    socket.send(JSON.stringify(subscribe));
    socket.send(JSON.stringify({ type: 'ping' }));
    await eventually(() => expect(received.at(-1).type).toBe('pong'));
    await shop.patch(`/products/${id}`, admin, { name: 'Red mug' });
    await eventually(() => expect(received.at(-1).type).toBe('next'));
    const event = received.at(-1);
    expect([Object.keys(event).sort(), event.id]).toEqual([Object.keys(next).sort(), next.id]);
    const [name = ''] = Object.keys(next.payload.data);
    expect(Object.keys(event.payload.data[name])).toEqual(Object.keys(next.payload.data[name]));
    socket.send(JSON.stringify(complete));
    socket.close();
  });

  it('has a program that follows one row', async () => {
    const [, , source = ''] = /## A socket[\s\S]*?```ts( TypeScript)\n([\s\S]*?)```/.exec(guide) ?? [];
    const { id } = await shop.product();
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    const file = join(folder, 'sample.mts');
    await writeFile(
      file,
      source.replace(/'ws:[^']*'/, () => `'${url}'`).replace(/id: '[0-9a-f-]{36}'/, () => `id: '${id}'`),
    );
    const program = spawn(process.execPath, [file], { env: { ...process.env, TOKEN: token } });
    try {
      let output = '';
      program.stdout.on('data', (data) => {
        output += data;
      });
      await eventually(async () => {
        await shop.patch(`/products/${id}`, admin, { name: `Mug ${Math.random()}` });
        expect(output).toContain(id);
      });
    } finally {
      program.kill();
      await rm(folder, { recursive: true });
    }
  });

  const init = { type: 'connection_init' };
  const subscribe = (query: string, variables = {}) => ({ id: '1', type: 'subscribe', payload: { query, variables } });

  it.each([
    ['without a token', subscribe('subscription { orderCreated { id } }'), 'UNAUTHENTICATED'],
    ['an argument that names no id', subscribe('subscription { productUpdated(id: "x") { id } }'), 'VALIDATION_FAILED'],
    ['an invalid variable', subscribe('subscription($id: ID) { productUpdated(id: $id) { id } }', { id: {} })],
  ])('is right on what is refused late: %s', async (_, frame, code: unknown = expect.any(String)) => {
    const received = await answers([init, frame], 'complete');
    expect(received).toMatchObject([
      { type: 'connection_ack' },
      { type: 'next', payload: { errors: [{ extensions: { code } }] } },
      { type: 'complete' },
    ]);
    expect(guide).toContain('comes as `next` with `errors`, then `complete`');
  });

  it('is right on an invalid document', async () => {
    const received = await answers([init, subscribe('subscription { productUpdated { zzz } }')], 'error');
    expect(received.at(-1)).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'VALIDATION_FAILED' } }] });
  });

  it.each([
    [4401, [subscribe('subscription { productUpdated { id } }')]],
    [4403, [{ ...init, payload: { authorization: 'Bearer x' } }]],
    [4406, [init], ''],
    [4400, [{ type: 'zzz' }]],
  ])('is right on what closes a socket with %i', async (code, frames, protocol?: string) => {
    expect(await answers(frames, '', protocol)).toEqual([code]);
    expect(guide).toContain(`| \`${code}\` |`);
  });
});
