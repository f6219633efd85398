import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { serve, type TestService } from '../../../src/proving/testing/serve.ts';
import { withFolder } from '../../support/folder.ts';
import { exchangeRaw } from './support/raw-http.ts';

const DOCUMENT = `openapi: 3.1.0
info: { title: Uploads, version: '1' }
components: { securitySchemes: { bearer: { type: http, scheme: bearer } } }
paths:
  /photos:
    post:
      operationId: addPhoto
      requestBody:
        required: true
        content:
          application/json: { schema: { type: object, properties: { url: { type: string } } } }
          multipart/form-data: { schema: { type: object, properties: { photo: { type: string, format: binary } } } }
      responses: { '204': { description: Added. } }
  /anything:
    post:
      operationId: takeAnything
      requestBody: { content: { '*/*': {} } }
      responses: { '204': { description: Taken. } }
  /private:
    post:
      operationId: addPrivately
      security: [{ bearer: [photos:write] }]
      requestBody: { required: true, content: { multipart/form-data: { schema: { type: object } } } }
      responses: { '204': { description: Added. } }
`;

interface Uploaded {
  readonly contentType: string;
  readonly body: Readable;
}

let service: TestService;
let port: number;
let runs: { readonly contentType: string; readonly body: unknown }[] = [];
/** What reads a body; left out, no handler reads its stream. */
let read: ((request: Uploaded) => Promise<unknown>) | undefined;

beforeAll(async () => {
  const { model } = await withFolder({ 'openapi.yaml': DOCUMENT }, modelContract);
  const handler = async (request: Uploaded) => {
    runs.push({ contentType: request.contentType, body: read ? await read(request) : undefined });
    return { status: 204 };
  };
  const routes = { addPhoto: handler, takeAnything: handler, addPrivately: handler };
  const old = {
    ...model!,
    document: { ...model!.document, servers: [{ url: '/v0' }] },
    deprecated: '2026-01-01',
  };
  const contract = { ...model!, versions: { v0: old } };
  const handlers = { routes, versions: { v0: {} } };
  service = await serve({ contract, handlers: handlers as never });
  port = Number(new URL(await service.listen()).port);
});
afterAll(() => service.close());
beforeEach(() => {
  runs = [];
  read = bytesOf;
});

const bytesOf = async ({ body }: Uploaded): Promise<unknown> =>
  typeof body?.pipe === 'function' ? (await buffer(body)).toString('latin1') : body;

/** As a handler parses it, with the platform's own parser. */
const formOf = async ({ body, contentType }: Uploaded): Promise<unknown> => {
  const form = await new Response(body as never, { headers: { 'content-type': contentType } }).formData();
  const photo = form.get('photo') as File;
  return { title: form.get('title'), name: photo.name, type: photo.type, bytes: [...(await photo.bytes())] };
};

const TYPE = 'multipart/form-data; boundary="Cut Here"';
const FORM = [
  '--Cut Here\r\nContent-Disposition: form-data; name="title"\r\n\r\nA cat\r\n',
  '--Cut Here\r\nContent-Disposition: form-data; name="photo"; filename="cat.png"\r\nContent-Type: image/png\r\n\r\nmeow\r\n',
  '--Cut Here--\r\n',
].join('');

const post = (path: string, body = FORM, type: string | undefined = TYPE, caller = service.anonymous) =>
  caller.request('POST', path, { body, headers: { 'content-type': type } });

describe('a multipart body', () => {
  test.each(['/photos', '/anything'])('reaches the handler of %s as a stream that a parser reads', async (path) => {
    read = formOf;
    expect((await post(path)).status).toBe(204);
    const body = { title: 'A cat', name: 'cat.png', type: 'image/png', bytes: [...Buffer.from('meow')] };
    expect(runs).toEqual([{ contentType: TYPE, body }]);
  });

  test('has its type in lower case, and its parameters as they were sent', async () => {
    await post('/photos', FORM, 'Multipart/Form-Data ;boundary=AbC');
    expect(runs).toEqual([{ contentType: 'multipart/form-data;boundary=AbC', body: FORM }]);
  });

  test.each([TYPE, 'multipart/form-data; boundary=a+json'])(
    'of the type %s is forwarded by an old version',
    async (type) => {
      expect((await post('/photos', FORM, type, service.anonymous.at('/v0'))).status).toBe(204);
      expect(runs).toEqual([{ contentType: type, body: FORM }]);
    },
  );

  test('is one of several types that an operation takes', async () => {
    expect((await post('/photos', '{"url":"a"}', 'application/json')).status).toBe(204);
    expect(runs).toEqual([{ contentType: 'application/json', body: { url: 'a' } }]);
  });

  test.each(['multipart/form-data', 'multipart/form-data; boundary=""', 'multipart/form-data; charset=utf-8'])(
    'of the type %s, without a boundary, is refused',
    async (type) => {
      const detail = 'The Content-Type of a multipart body needs a boundary.';
      expect((await post('/photos', FORM, type)).body).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE', detail });
      expect(runs).toEqual([]);
    },
  );

  test('of another multipart type is refused', async () => {
    expect((await post('/photos', FORM, 'multipart/mixed; boundary=x')).body).toMatchObject({ status: 415 });
  });

  test('is required where the contract says so', async () => {
    expect((await post('/photos', '')).body).toMatchObject({ status: 400, errors: [{ detail: 'is required' }] });
    expect((await post('/anything', '')).status).toBe(204);
  });

  test('that is too large does not reach the handler', async () => {
    expect((await post('/photos', 'x'.repeat(1_048_577))).body).toMatchObject({ code: 'CONTENT_TOO_LARGE' });
    expect(runs).toEqual([]);
  });

  test('is not looked at before its caller is admitted', async () => {
    const stranger = service.as({ sub: 'ada', scope: '' });
    expect((await post('/private', FORM, 'text/plain')).status).toBe(401);
    expect((await post('/private', FORM, 'text/plain', stranger)).status).toBe(403);
    const writer = service.as({ sub: 'ada', scope: 'photos:write' });
    expect((await post('/private', FORM, TYPE, writer)).status).toBe(204);
  });
});

describe('over a connection', () => {
  const head = (path: string, length: number, connection: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nConnection: ${connection}\r\nContent-Length: ${length}\r\n\r\n`;

  test('a stream that nobody reads keeps no request waiting', async () => {
    read = undefined;
    const body = 'x'.repeat(1_000_000);
    const two = head('/anything', body.length, 'keep-alive') + body + head('/anything', body.length, 'close') + body;
    await exchangeRaw(port, two);
    expect(runs).toHaveLength(2);
  });

  test('a caller who goes away in the middle is no failure, and runs no handler', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.end(`${head('/photos', 500, 'close')}--Cut`);
    await new Promise((resolve) => socket.resume().on('close', resolve));
    expect(runs).toEqual([]);
    expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
