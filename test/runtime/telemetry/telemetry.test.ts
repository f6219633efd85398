import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/tools/scratch/free-port.ts';
import { eventually } from '../../support/eventually.ts';
import { withFolder } from '../../support/folder.ts';
import { Instance, tokenOf } from '../../support/instance.ts';
import { admin } from '../../support/storefront.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Takes traces as a collector does; all bytes that came. */
async function collector() {
  const received: Buffer[] = [];
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => received.push(chunk));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, bytes: () => Buffer.concat(received), close: () => server.close() };
}

describe('a server that is watched', () => {
  let traces: Buffer;
  let metrics = '';
  let lines: Record<string, unknown>[];
  let output = '';
  let token = '';

  beforeAll(() =>
    withFolder({}, async (folder) => {
      const { endpoint, bytes, close } = await collector();
      const metricsPort = await freePort();
      const instance = await Instance.start({
        DATA_DIR: folder,
        METRICS_PORT: String(metricsPort),
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        LOG_LEVEL: 'debug',
      });
      token = await tokenOf({ ...admin, scope: 'products:write' });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({
        sku: 'SEEN-1',
        name: 'Mug',
        price: 1,
        currency: 'EUR',
        delivery: { kind: 'PHYSICAL', weightGrams: 1 },
      });
      const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
      await fetch(`${instance.base}/products`, { method: 'POST', headers: { ...headers, traceparent }, body });
      await fetch(`${instance.base}/products`);
      await fetch(`${instance.base}/nowhere`);
      const query = 'query Shelf { products { nodes { id } } }';
      await fetch(`${instance.origin}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
      metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      expect((await fetch(`http://127.0.0.1:${metricsPort}/`)).status).toBe(404);
      const { stdout } = (await instance.end('SIGTERM'))!;
      output = stdout;
      lines = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
      await eventually(() => expect(bytes().length).toBeGreaterThan(0));
      traces = bytes();
      close();
    }),
  );

  it('counts and times requests by operation, statements by action, and GraphQL by name', () => {
    const count = (name: string, labels: string) =>
      metrics.split('\n').find((line) => line.startsWith(`${name}_count{`) && line.includes(labels));
    expect(
      count(
        'http_server_request_duration_seconds',
        'method="POST",route="/v1/products",operation="createProduct",status="201"',
      ),
    ).toMatch(/ 1$/);
    expect(count('http_server_request_duration_seconds', 'operation="listProducts",status="200"')).toMatch(/ 1$/);
    expect(count('http_server_request_duration_seconds', 'route="none",operation="",status="404"')).toMatch(/ 1$/);
    expect(metrics).toContain('idempotency_keys_expired_total 0');
    expect(count('db_client_operation_duration_seconds', 'action="insert",resource="products",outcome="ok"')).toMatch(
      / 1$/,
    );
    expect(count('graphql_operation_duration_seconds', 'kind="query",operation="Shelf",outcome="ok"')).toMatch(/ 1$/);
    expect(metrics).toMatch(/^http_server_active_requests 0$/m);
    expect(metrics).toMatch(/^process_resident_memory_bytes /m);
  });

  it('sends spans of requests, operations and statements, below the trace of who asked', () => {
    const text = traces.toString('latin1');
    for (const name of ['POST /v1/products', 'insert products', 'transaction single', 'query Shelf', 'list products'])
      expect(text).toContain(name);
    expect(text).toContain('createProduct');
    const id = Buffer.from(TRACE_ID, 'hex').toString('latin1');
    // The request, its transaction, and the insert within.
    expect(text.split(id).length).toBeGreaterThan(3);
  });

  it('says in each line of the log which trace, operation and caller it is about, and no secret', () => {
    const answered = lines.filter(({ msg }) => msg === 'answered');
    expect(answered.find(({ method }) => method === 'POST')).toMatchObject({
      traceId: TRACE_ID,
      operationId: 'createProduct',
      caller: admin.subject,
      requestId: expect.any(String),
      status: 201,
    });
    expect(answered.find(({ operationId }) => operationId === 'Shelf')).toMatchObject({ path: '/graphql' });
    expect(output).not.toContain(token);
    expect(output).not.toContain(token.split('.')[2]);
  });
});

describe('a server that nobody watches', () => {
  it('neither serves metrics nor loads what would', () =>
    withFolder({}, async (folder) => {
      const instance = await Instance.start({ DATA_DIR: folder });
      expect((await fetch(`${instance.origin}/metrics`)).status).toBe(404);
      await instance.end('SIGTERM');
    }));
});
