import { request } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import type { ContractModel } from '../../../src/compiler/model/model.ts';
import { serve, type TestService } from '../../../src/proving/testing/serve.ts';
import { secretKeys } from '../../../src/runtime/auth/keys.ts';
import { checkBodyLimits } from '../../../src/runtime/http/body-limits.ts';
import { divideBehind } from '../../../src/runtime/http/requests-behind.ts';
import { divideUnsent } from '../../../src/runtime/http/unsent-answers.ts';
import { serveOn, sqliteScratch } from '../../../src/tools/scratch-store.ts';
import { eventually } from '../../support/eventually.ts';
import { withFolder } from '../../support/folder.ts';
import { converse, exchangeRaw } from './support/raw-http.ts';

const MIB = 2 ** 20;
const BINARY = 'type: string, format: binary';
const counted = "responses: { '200': { description: ok, content: { text/plain: { schema: { type: string } } } } }";

/** `more` of the first operation. */
const documentOf = (bytes: number, more = '') => `openapi: 3.1.0
info: { title: Uploads, version: '1' }
paths:
  /large:
    post:
      operationId: large
      requestBody:
        content:
          image/*: { schema: { ${BINARY}, maxLength: ${bytes} } }
          application/json: { schema: { type: string } }
      ${counted}${more}
  /small:
    post:
      operationId: small
      requestBody: { content: { application/octet-stream: { schema: { ${BINARY}, maxLength: 100 } } } }
      ${counted}
  /form:
    post:
      operationId: form
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, properties: { a: { ${BINARY}, maxLength: 2000000 }, b: { type: string, maxLength: 10 } } }
      ${counted}
  /mixed:
    post:
      operationId: mixed
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, properties: { a: { ${BINARY}, maxLength: 2000000 }, b: { type: string } } }
      ${counted}
`;

const modelOf = async (text: string): Promise<ContractModel> => {
  const { model, findings } = await withFolder({ 'openapi.yaml': text }, modelContract);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return model!;
};

let service: TestService;
let port: number;
/** Resolves when whole bodies may be handled. */
let mayHandle: Promise<void> = Promise.resolve();
let arrived = 0;

/** Answers with the length of a body. */
const count = async ({ body }: { readonly body: Buffer | string | Readable }) => {
  arrived++;
  await mayHandle;
  const { length } = typeof body === 'string' || Buffer.isBuffer(body) ? body : await buffer(body);
  return { status: 200, body: String(length) };
};
const handlers = { routes: { large: count, small: count, form: count, mixed: count } };

beforeAll(async () => {
  const model = await modelOf(documentOf(20 * MIB));
  const document = { ...model.document, servers: [{ url: '/v0' }] };
  const contract = { ...model, versions: { v0: { ...model, document, deprecated: '2026-01-01' } } };
  service = await serve({
    contract,
    handlers: { ...handlers, versions: { v0: {} } } as never,
  });
  port = Number(new URL(await service.listen()).port);
});
afterAll(() => service.close());

interface Sending {
  readonly type?: string;
  readonly isChunked?: boolean;
  readonly port?: number;
  readonly localAddress?: string;
}

/** Sends a body of so many bytes; its status, and the body or the code of the answer. */
const send = (path: string, bytes: number | Buffer, { type = 'image/png', isChunked, ...more }: Sending = {}) =>
  new Promise<readonly [status: number, answer: string]>((resolve, reject) => {
    const body = typeof bytes === 'number' ? Buffer.alloc(bytes) : bytes;
    const headers = { 'content-type': type, ...(!isChunked && { 'content-length': body.length }) };
    let isAnswered = false;
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers, ...more }, async (answer) => {
      isAnswered = true;
      const text = (await buffer(answer)).toString();
      resolve([answer.statusCode!, answer.statusCode === 200 ? text : JSON.parse(text).code]);
    });
    // The server closes the connection while the rest of a body arrives that it refuses.
    sent.on('error', (error) => (isAnswered ? undefined : reject(error)));
    sent.end(body);
  });

const TOO_LARGE = [413, 'CONTENT_TOO_LARGE'];
const OCTETS = 'application/octet-stream';
const BOUNDARY = 'cut';
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const formOf = (bytes: number): Buffer =>
  Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n${'x'.repeat(bytes)}\r\n--${BOUNDARY}--\r\n`,
  );

describe('a body whose length the contract limits', () => {
  test.each([
    ['with its length', false],
    ['in chunks', true],
  ])('%s has the limit, and not a byte more', async (_, isChunked) => {
    expect(await send('/large', 20 * MIB, { isChunked })).toEqual([200, String(20 * MIB)]);
    expect(await send('/large', 20 * MIB + 1, { isChunked })).toEqual(TOO_LARGE);
    expect(await send('/small', 100, { type: OCTETS, isChunked })).toEqual([200, '100']);
    expect(await send('/small', 101, { type: OCTETS, isChunked })).toEqual(TOO_LARGE);
  });

  test('is refused with its limit in the message', async () => {
    const answer = await service.anonymous.request('POST', '/small', {
      body: 'x'.repeat(101),
      headers: { 'content-type': OCTETS },
    });
    expect(answer.body).toMatchObject({ detail: 'The body is larger than the 100 bytes that are accepted here.' });
  });

  test('leaves other media types of its operation to the settings', async () => {
    const text = (length: number) => Buffer.from(JSON.stringify('x'.repeat(length - 2)));
    expect((await send('/large', text(MIB), { type: 'application/json' }))[0]).toBe(200);
    expect(await send('/large', text(MIB + 1), { type: 'application/json' })).toEqual(TOO_LARGE);
  });

  test('of several parts has room for all of them, if each has a limit', async () => {
    expect(await send('/form', formOf(2_000_000), { type: FORM })).toEqual([200, String(formOf(2_000_000).length)]);
    expect(await send('/form', formOf(2_010_000), { type: FORM })).toEqual(TOO_LARGE);
    expect(await send('/mixed', formOf(1_000_000), { type: FORM })).toEqual([200, String(formOf(1_000_000).length)]);
    expect(await send('/mixed', formOf(2_000_000), { type: FORM })).toEqual(TOO_LARGE);
  });

  test('is limited in an old version as well', async () => {
    expect(await send('/v0/large', 2 * MIB)).toEqual([200, String(2 * MIB)]);
    expect(await send('/v0/small', 101, { type: OCTETS })).toEqual(TOO_LARGE);
  });

  test('is not asked for if it is too large, and its client waits', async () => {
    const ask = (bytes: number) =>
      `POST /large HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: ${bytes}\r\n\r\n`;
    expect(await exchangeRaw(port, ask(20 * MIB + 1))).toMatchObject({ status: 413 });
    const { socket, answer } = await converse(port, ask(20 * MIB));
    await new Promise((resolve) => socket.once('data', resolve));
    expect(answer()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.destroy();
  });

  test('is 413 beyond the settings where nothing serves it', async () => {
    expect((await send('/nothing', 2 * MIB))[0]).toBeOneOf([404, 413]);
  });
});

describe('bodies above the limit of others', () => {
  test.each([
    ['with their lengths', false],
    ['in chunks', true],
  ])('count for 64 MiB until they are answered, and leave room for others: %s', async (_, isChunked) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    mayHandle = promise;
    arrived = 0;
    onTestFinished(() => resolve());
    const held = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((localAddress) =>
      send('/large', 20 * MIB, { isChunked, localAddress }),
    );
    await eventually(() => expect(arrived).toBe(3));
    const another = () => send('/large', 20 * MIB, { isChunked, localAddress: '127.0.0.5' });
    expect(await another()).toEqual([503, 'SERVICE_UNAVAILABLE']);
    const small = send('/small', 100, { type: OCTETS, isChunked, localAddress: '127.0.0.6' });
    resolve();
    expect(await small).toEqual([200, '100']);
    for (const one of held) expect(await one).toEqual([200, String(20 * MIB)]);
    expect(await another()).toEqual([200, String(20 * MIB)]);
  });
});

describe('with the largest limit that the settings accept', () => {
  const MOST = 64 * MIB;
  const FRAME = formOf(0).length;

  test.each([1, 4])('bodies of every kind are accepted up to it by each of %i workers', async (workers) => {
    const contract = await modelOf(documentOf(MIB));
    const scratch = await sqliteScratch('test', contract.resources);
    const keys = secretKeys('tokens of tests that send bodies only');
    const served = { contract, handlers: handlers as never, store: scratch.store, authentication: { keys } };
    const { app, close } = await serveOn(scratch, { ...served, http: { workers, maxBodyBytes: MOST } });
    onTestFinished(async () => {
      divideUnsent(1);
      divideBehind(1);
      await close();
    });
    const own = Number(new URL(await app.listen({ port: 0 })).port);
    const base64 = (bytes: number) => Buffer.from(`"${'QUJD'.repeat(Math.ceil(bytes / 4)).slice(0, bytes - 2)}"`);
    const bodies: readonly (readonly [path: string, type: string, of: (bytes: number) => Buffer])[] = [
      ['/large', 'application/json', base64],
      ['/mixed', FORM, (bytes) => formOf(bytes - FRAME)],
    ];
    for (const [path, type, of] of bodies)
      for (const isChunked of [false, true]) {
        const sending = { type, isChunked, port: own };
        expect((await send(path, of(MOST), sending))[0]).toBe(200);
        expect(await send(path, of(MOST + 1), sending)).toEqual(TOO_LARGE);
      }
    expect(await send('/small', 100, { type: OCTETS, port: own })).toEqual([200, '100']);
  });
});

describe('a limit above the share of each worker', () => {
  const HOLDS = 'WORKERS: large accepts bodies of 20971520 bytes, and each of 4 workers has 16777216 for all bodies.';
  const said = async (workers: number, more?: string): Promise<readonly string[]> => {
    const messages: string[] = [];
    checkBodyLimits(await modelOf(documentOf(20 * MIB, more)), workers, (message) => messages.push(message));
    return messages;
  };

  test('is refused, with the workers that it allows', async () => {
    const ours = "\n      x-parity: { graphql: absent, because: 'Files are sent over REST only.' }";
    expect(await said(3, ours)).toEqual([]);
    await expect(said(4, ours)).rejects.toThrow(`${HOLDS} Set WORKERS to 3 or less.`);
    await expect(said(64, ours)).rejects.toThrow('Set WORKERS to 3 or less.');
  });

  test('is a warning in a document that does not follow the conventions, and does not hold', async () => {
    expect(await said(3)).toEqual([]);
    expect(await said(4)).toEqual([`${HOLDS} Set WORKERS to 3 or less. BODY_LIMIT_BYTES is its limit.`]);
    const contract = await modelOf(documentOf(20 * MIB));
    const scratch = await sqliteScratch('test', contract.resources);
    const keys = secretKeys('tokens of tests that send bodies only');
    const served = { contract, handlers: handlers as never, store: scratch.store, authentication: { keys } };
    const { app, close } = await serveOn(scratch, { ...served, http: { workers: 4 } });
    onTestFinished(async () => {
      // What a process divides with others, it divides for all tests that it runs.
      divideUnsent(1);
      divideBehind(1);
      await close();
    });
    const payload = (bytes: number, type = 'image/png') =>
      app.inject({ method: 'POST', url: '/large', payload: Buffer.alloc(bytes), headers: { 'content-type': type } });
    expect((await payload(MIB)).statusCode).toBe(200);
    expect((await payload(MIB + 1)).statusCode).toBe(413);
  });
});
