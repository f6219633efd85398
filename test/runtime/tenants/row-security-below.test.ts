import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { migrate, plan } from '../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../../src/runtime/storage/postgres/postgres-store.ts';
import { scopeStatements } from '../../../src/runtime/storage/postgres/row-security.ts';
import type { RowScope } from '../../../src/runtime/storage/row-scope.ts';
import type { RowQuery, Store } from '../../../src/runtime/storage/store.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { type DatabaseKind, STATEMENT_TIMEOUT_MS } from '../../support/databases.ts';
import { ownedDatabase } from '../../support/owned-database.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { type As, contractOf, type Service, startCompiled } from '../../support/service.ts';

const SCOPE = 'school:read school:write';
const of = (school: string, scope = SCOPE): As => ({ sub: 'clara', scope, claims: { school } });
const [upper, lower] = [of('upper'), of('lower')];
const across: As = { sub: 'inspector', scope: `${SCOPE} school:admin schools:operate` };

const UPPER: RowScope = { kind: 'tenant', tenant: 'upper' };
const LESSONS = 'courses_lessons';
const NOTES = 'courses_lessons_notes';
const all = (resource: string): RowQuery => ({
  ...{ resource, conditions: [], limit: 50 },
  order: [{ property: 'id', direction: 'asc' }],
});

/** Courses have the tenant; lessons below them, and notes below lessons, do not. */
describe.skipIf(!hasPostgres)('row-level security of rows below those of tenants', () => {
  let database: Awaited<ReturnType<typeof ownedDatabase>>;
  let contract: CompiledContract;
  let store: Store;
  let service: Service;
  let client: pg.Client;
  const urls: Record<string, string> = {};

  const send = async (method: string, url: string, as: As, body?: object) => {
    const reply = await service.request(method, `/v1${url}`, { as, ...(body && { body }) });
    if (reply.status >= 400) throw new Error(`${method} ${url}: ${reply.status} ${reply.text}`);
    return reply.body;
  };
  /** A course of a school with a lesson and a note; the path of the lesson. */
  async function course(id: string, as: As): Promise<string> {
    const email = `${id}@example.com`;
    const { id: teacherId } = await send('POST', '/teachers', as, { userId: 'clara', name: 'Fux', email });
    await send('POST', '/courses', as, { id, title: 'Counterpoint', teacherId });
    const lesson = await send('POST', `/courses/${id}/lessons`, as, { at: '2026-02-01T10:00:00Z', topic: id });
    const url = `/courses/${id}/lessons/${lesson.id}`;
    await send('POST', `${url}/notes`, as, { body: id });
    return url;
  }
  const migrated = (hasRowSecurity: boolean) =>
    lockedPostgres(database.url, async (target) => {
      const wanted = { resources: contract.resources, handWritten: [], hasRowSecurity };
      const { steps } = await plan(target, wanted);
      await migrate(target, wanted);
      return steps.map(({ what }) => what);
    });

  beforeAll(async () => {
    contract = await contractOf('conservatory');
    database = await ownedDatabase();
    await migrated(true);
    const limits = { connections: 4, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    store = await openPostgresStore({
      url: database.url,
      resources: contract.resources,
      hasRowSecurity: true,
      ...limits,
    });
    const kind: DatabaseKind = { name: 'walled', open: async () => ({ store, close: async () => {} }) };
    service = await startCompiled(contract, kind);
    for (const [id, as] of Object.entries({ upper, lower })) urls[id] = await course(id, as);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await service.close();
    await store.close();
  });

  /** What a statement does that says nothing of tenants itself, as the role of the server. */
  async function within(scope: RowScope | undefined, sql: string): Promise<pg.QueryResult> {
    try {
      await client.query(`begin; ${scope ? scopeStatements(scope) : ''}`);
      return await client.query(sql);
    } finally {
      await client.query('rollback');
    }
  }

  it('hides them from statements that have forgotten their conditions', async () => {
    for (const [table, column] of [
      [LESSONS, 'topic'],
      [NOTES, 'body'],
    ]) {
      const seen = async (scope?: RowScope) =>
        (await within(scope, `select ${column} as seen from ${table} order by 1`)).rows.map(({ seen: one }) => one);
      expect(await seen(UPPER)).toEqual(['upper']);
      expect(await seen({ kind: 'all' })).toEqual(['lower', 'upper']);
      for (const none of [undefined, { kind: 'none' } as const, { kind: 'tenant', tenant: 'third' } as const])
        expect(await seen(none)).toEqual([]);
      expect((await within(UPPER, `update ${table} set version = 9`)).rowCount).toBe(1);
      expect((await within(UPPER, `delete from ${table} where ${column} = 'lower'`)).rowCount).toBe(0);
    }
    const moved = within(UPPER, `update ${LESSONS} set course_id = 'lower'`);
    await expect(moved).rejects.toThrow(/violates row-level security policy/);
    const made = (course: string) =>
      within(
        UPPER,
        `insert into ${LESSONS} (version, created_at, updated_at, course_id, at, topic) values (1, now(), now(), '${course}', now(), 'new')`,
      );
    await expect(made('lower')).rejects.toThrow(/violates row-level security policy/);
    expect((await made('upper')).rowCount).toBe(1);
  });

  it('hides them from reads of the store without conditions, in a transaction, too', async () => {
    for (const key of ['courses.lessons', 'courses.lessons.notes']) {
      expect(await store.within(UPPER).list(all(key))).toHaveLength(1);
      expect(await store.within(UPPER).count(key, [])).toBe(1);
      expect(await store.within({ kind: 'none' }).list(all(key))).toEqual([]);
      expect(await store.list(all(key))).toHaveLength(2);
      const read = store.transaction(
        async (one) => [
          await one.count(key, []),
          await one.within({ kind: 'all' }).count(key, []),
          await one.count(key, []),
        ],
        'locking',
        undefined,
        UPPER,
      );
      expect(await read).toEqual([1, 2, 1]);
    }
  });

  it('lets callers read, write and delete what is below rows of theirs, and who sees all tenants everything', async () => {
    const url = await course('third', upper);
    const lists = `{ course(id: "third") { lessons(first: 5) { totalCount nodes { topic notes(first: 5) { nodes { body } } } } } }`;
    for (const as of [upper, across]) {
      expect((await send('GET', `${url}/notes`, as)).data).toMatchObject([{ body: 'third' }]);
      expect((await service.graphql(lists, { as })).data.course).toEqual({
        lessons: { totalCount: 1, nodes: [{ topic: 'third', notes: { nodes: [{ body: 'third' }] } }] },
      });
      expect(await send('PATCH', url, as, { room: as.sub })).toMatchObject({ room: as.sub });
    }
    expect((await service.graphql(lists, { as: lower })).data.course).toBeNull();
    expect((await service.request('GET', `/v1${urls['upper']}/notes`, { as: lower })).status).toBe(404);
    await send('DELETE', '/courses/third', { ...upper, scope: `${SCOPE} school:admin` });
    const left = await administer(database.admin, `select topic from ${LESSONS} order by 1`);
    expect(left).toEqual([{ topic: 'lower' }, { topic: 'upper' }]);
    expect(await administer(database.admin, `select body from ${NOTES}`)).toHaveLength(2);
  });

  it('is made in a database that has policies of tenants alone, once, and taken away with them', async () => {
    for (const table of [LESSONS, NOTES])
      await administer(
        database.admin,
        `alter table ${table} no force row level security, disable row level security; drop policy lockstep_tenant on ${table}`,
      );
    const row = `school_id::text = current_setting('lockstep.tenant', true) or current_setting('lockstep.all_tenants', true) = 'on'`;
    await administer(database.admin, `alter policy lockstep_tenant on courses using (${row}) with check (${row})`);
    const opening = { url: database.url, resources: contract.resources, connections: 2, hasRowSecurity: true };
    await expect(openPostgresStore(opening)).rejects.toThrow(/does not bind \S+ on courses_lessons/);
    expect(await migrated(true)).toEqual([
      'row-level security of courses by school_id',
      `row-level security of ${LESSONS} by course_id`,
      `row-level security of ${NOTES} by lesson_id`,
    ]);
    expect(await migrated(true)).toEqual([]);
    expect((await within(UPPER, `select from ${NOTES}`)).rowCount).toBe(1);
    expect(await migrated(false)).toHaveLength(8);
    expect((await within(UPPER, `select from ${NOTES}`)).rowCount).toBe(2);
  });
});
