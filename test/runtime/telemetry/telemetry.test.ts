import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Metrics } from '../../../src/runtime/telemetry/metrics.ts';
import { freePort } from '../../../src/tools/free-port.ts';
import { collector } from '../../support/collector.ts';
import { eventually } from '../../support/eventually.ts';
import { withFolder } from '../../support/folder.ts';
import { Instance, tokenOf } from '../../support/instance.ts';
import { admin } from '../../support/storefront.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

/** What a server has to say about Redis, Postgres and a replica. */
async function metricsOfServices(): Promise<string> {
  const metrics = new Metrics('postgresql', {});
  const sources = {
    activeRequests: () => 0,
    connections: () => ({ used: 0, idle: 0, waiting: 0, locked: 0 }),
    replica: () => ({ isServing: true, replica: 0, primary: 0, unsure: 0 }),
    isRedisUp: () => true,
    cachedLists: { hits: 0, misses: 0 },
    subscriptions: { open: 0, missed: 0 },
    jobs: async () => ({ isHeld: false, waiting: 0, running: 0, dead: 0, oldestMs: 0 }),
  };
  metrics.watch(fastify(), sources, () => undefined);
  await metrics.observeJob({ name: 'charge' }, async () => ({ end: { kind: 'done' } }));
  const server = await metrics.listen('127.0.0.1', 0);
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: 'close' } });
  const text = await answer.text();
  server.close();
  return text;
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
        OTEL_RESOURCE_ATTRIBUTES: 'team=blue%20%26%20green,service.name=other',
        OTEL_SERVICE_NAME: 'shop',
        SLOW_STATEMENT_MS: '0',
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
      await fetch(`${instance.base}/products/a`, { method: 'POST', headers, body });
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
        'http_request_method="POST",http_route="/v1/products",http_response_status_code="201",error_type="",lockstep_operation_id="createProduct"',
      ),
    ).toMatch(/ 1$/);
    expect(
      count(
        'http_server_request_duration_seconds',
        'http_response_status_code="200",error_type="",lockstep_operation_id="listProducts"',
      ),
    ).toMatch(/ 1$/);
    expect(count('http_server_request_duration_seconds', 'http_route="",http_response_status_code="404"')).toMatch(
      / 1$/,
    );
    expect(
      count(
        'http_server_request_duration_seconds',
        'http_request_method="POST",http_route="/v1/products/:productId",http_response_status_code="405"',
      ),
    ).toMatch(/ 1$/);
    expect(
      count(
        'db_client_operation_duration_seconds',
        'db_system_name="sqlite",db_operation_name="insert",db_collection_name="products",error_type=""',
      ),
    ).toMatch(/ 1$/);
    expect(
      count(
        'graphql_operation_duration_seconds',
        'graphql_operation_type="query",graphql_operation_name="Shelf",error_type=""',
      ),
    ).toMatch(/ 1$/);
    expect(metrics).toMatch(/^http_server_active_requests 0$/m);
    expect(metrics).toMatch(/^lockstep_list_cache_misses_total [12]$/m);
    expect(metrics).toContain('idempotency_keys_expired_total 0');
    expect(metrics).toMatch(/^lockstep_subscriptions 0$/m);
    expect(metrics).toMatch(/^target_info\{.*service_name="shop".*\} 1$/m);
    expect(metrics).toMatch(/^target_info\{service_version="[\d.]+",team="blue & green",.*\} 1$/m);
    expect(metrics).toMatch(/^process_resident_memory_bytes /m);
  });

  it('sends spans of requests, operations and statements, below the trace of who asked', () => {
    const text = traces.toString('latin1');
    for (const name of [
      'POST /v1/products',
      'POST /v1/products/:productId',
      'insert products',
      'transaction single',
      'query Shelf',
      'list products',
    ])
      expect(text).toContain(name);
    expect(text).toContain('createProduct');
    for (const name of ['service.version', 'db.system.name', 'url.scheme', 'blue & green'])
      expect(text).toContain(name);
    const id = Buffer.from(TRACE_ID, 'hex').toString('latin1');
    // The request, its transaction, and the insert within.
    expect(text.split(id).length).toBeGreaterThan(3);
  });

  it('logs slow statements', () => {
    const slow = lines.filter(({ msg }) => msg === 'slow statement');
    expect(slow).toContainEqual(
      expect.objectContaining({ action: 'insert', resource: 'products', durationMs: expect.any(Number) }),
    );
  });

  it('has all metrics that the shipped dashboard and alerts name', async () => {
    const dashboard = JSON.parse(readFileSync('deploy/dashboard.json', 'utf8'));
    const alerts = parse(readFileSync('deploy/alerts.yaml', 'utf8'));
    const expressions: string[] = [
      ...dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) => panel.targets.map(({ expr }) => expr)),
      ...alerts.groups.flatMap((group: { rules: { expr: string }[] }) => group.rules.map(({ expr }) => expr)),
    ];
    const named = expressions.flatMap(
      (text) => text.match(/\b(?:http|graphql|db|lockstep|nodejs|process)_\w+(?=[{[\s]|$|\))/g) ?? [],
    );
    const labels = new Set([...metrics.matchAll(/(\w+)="/g)].map(([, label]) => label!));
    const all = metrics + (await metricsOfServices());
    const known = (name: string) => labels.has(name) || new RegExp(`^${name}[ {]`, 'm').test(all);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !known(name))).toEqual([]);
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
