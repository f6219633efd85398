import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../../src/runtime/storage/postgres/postgres-store.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { STATEMENT_TIMEOUT_MS } from '../../support/databases.ts';
import { hasPostgres, makeDatabase } from '../../support/postgres.ts';
import { type As, type Service, startCompiled } from '../../support/service.ts';
import { callerOf, north, south, workshop } from '../../support/workshop.ts';

/** Sends the plan of each statement to the session, those of foreign keys included (PostgreSQL, auto_explain). */
const EXPLAINING = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

interface Executed {
  readonly text: string;
  /** The numbers of the partitions that it has touched. */
  readonly partitions: readonly string[];
}

const touchedBy = (node: PlanNode): readonly string[] => [
  ...(node['Actual Loops'] > 0 ? (/_p(\d+)$/.exec(node['Relation Name'] ?? '')?.slice(1) ?? []) : []),
  ...(node.Plans ?? []).flatMap(touchedBy),
];

describe.skipIf(!hasPostgres)('on tables in partitions, a statement of a caller of one tenant', () => {
  let service: Service;
  let call: ReturnType<typeof callerOf>;
  let end: () => Promise<void>;
  const executed: Executed[] = [];
  const { emit } = pg.Client.prototype;

  beforeAll(async () => {
    const { resources } = await workshop();
    const { url, drop } = await makeDatabase();
    const layout = { kind: 'tenants', partitions: 8 } as const;
    await lockedPostgres(url, (target) => migrate(target, { resources, handWritten: [], layout }));
    const name = new URL(url).pathname.slice(1);
    for (const [setting, value] of Object.entries(EXPLAINING))
      await administer(url, `alter database ${name} set ${setting} = '${value}'`);
    pg.Client.prototype.emit = function (this: pg.Client, event: string | symbol, ...args: unknown[]) {
      const { message } = (event === 'notice' ? args[0] : {}) as { readonly message?: string };
      const [, json] = /^duration: .*?plan:\n(.*)$/s.exec(message ?? '') ?? [];
      if (json) {
        const { 'Query Text': text, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode };
        executed.push({ text, partitions: [...new Set(touchedBy(plan))] });
      }
      return emit.call(this, event as 'notice', ...(args as [never]));
    };
    const store = await openPostgresStore({ url, resources, connections: 4, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
    const database = { name: 'explained', open: async () => ({ store, close: async () => store.close() }) };
    service = await startCompiled(await workshop(), database);
    call = callerOf(service);
    end = async () => {
      await service.close();
      await drop();
    };
  });
  afterAll(async () => {
    pg.Client.prototype.emit = emit;
    await end?.();
  });
  beforeEach(() => executed.splice(0));

  /** `least`: so many statements touched a partition. */
  function expectOne(least = 1): void {
    const more = executed.filter(({ partitions }) => partitions.length > 1);
    expect(more.map(({ text, partitions }) => `${partitions.join()}: ${text}`)).toEqual([]);
    const touching = executed.filter(({ partitions }) => partitions.length === 1);
    expect(touching.length).toBeGreaterThanOrEqual(least);
  }

  const callers: readonly (readonly [name: string, as: As])[] = [
    ['one', north],
    ['the other', south],
  ];

  describe.each(callers)('(%s)', (_name, as) => {
    let machine: { readonly id: string };
    let worker: { readonly id: string };
    let standard: { readonly id: string };
    const code = `C${callers.findIndex(([, one]) => one === as)}`;

    beforeAll(async () => {
      standard = await call.made('/standards', as, { name: 'ISO' });
      worker = await call.worker(as, `${code}@example.com`);
      machine = await call.machine(as, code, { standardId: standard.id });
    });

    it('that creates touches one partition, and so do those of its references', async () => {
      const job = await call.made(`/machines/${machine.id}/jobs`, as, { title: 'drill', workerId: worker.id });
      await call.made(`/machines/${machine.id}/notes`, as, { text: 'oiled', workerId: worker.id });
      await call.machine(as, `${code}B`, { standardId: standard.id });
      expect(job.id).toBeTruthy();
      expectOne();
      const references = executed.filter(({ text }) => /for key share/i.test(text) && /workers|machines/.test(text));
      expect(references.flatMap(({ partitions }) => partitions).length).toBeGreaterThan(2);
    });

    it('that repeats a create touches one partition', async () => {
      const headers = { 'idempotency-key': `"${randomUUID()}"` };
      const body = { code: `${code}K`, name: 'lathe', state: 'IDLE' };
      const send = () => service.request('POST', '/v1/machines', { as, body, headers });
      const [first, again] = [await send(), await send()];
      expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
      expectOne();
    });

    it('that is refused for a key touches one partition, and names the property', async () => {
      const { status, body } = await service.request('POST', '/v1/machines', {
        as,
        body: { code, name: 'again', state: 'IDLE' },
      });
      expect(status).toBe(409);
      expect(body.errors).toMatchObject([{ pointer: '/code' }]);
      expectOne(0);
    });

    it('that reads, lists, counts and searches touches one partition', async () => {
      const urls = [
        `/machines/${machine.id}`,
        `/machines/by-code/${code}`,
        '/machines?limit=1',
        '/machines?search=lathe&sort=name',
        '/machines?state=IDLE&sort=-name',
        `/machines/${machine.id}/jobs?sort=title`,
        `/machines/${machine.id}/notes`,
        '/workers?retired=false',
      ];
      for (const url of urls) expect([url, (await call.send('GET', url, as)).status]).toEqual([url, 200]);
      expectOne(urls.length);
    });

    it('of nested fields touches one partition', async () => {
      const query = `{ machines(first: 5) { totalCount nodes { code standard { name }
        notes { totalCount nodes { text worker { name } } } jobs { nodes { title worker { name } } } } } }`;
      const { data, errors } = await service.graphql(query, { as });
      expect(errors).toBeUndefined();
      expect(data.machines.nodes.length).toBeGreaterThan(1);
      expectOne(5);
    });

    it('that updates touches one partition', async () => {
      const patch = (url: string, body: object) =>
        service.request('PATCH', `/v1${url}`, {
          as,
          body,
          headers: { 'content-type': 'application/merge-patch+json', 'if-match': '*' },
        });
      const notes = await call.ids(`/machines/${machine.id}/notes`, as);
      const replies = [
        await patch(`/machines/${machine.id}`, { name: 'other' }),
        await patch(`/machines/${machine.id}/notes/${(notes as readonly string[])[0]}`, { text: 'dry' }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expectOne();
    });

    it('that deletes with all that refers to the row touches one partition', async () => {
      const statuses = [
        (await call.send('DELETE', `/workers/${worker.id}`, as)).status,
        (await call.send('DELETE', `/machines/${machine.id}`, as)).status,
      ];
      expect(statuses).toEqual([204, 204]);
      expectOne();
    });
  });
});
