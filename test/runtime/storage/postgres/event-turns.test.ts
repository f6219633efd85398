import pg from 'pg';
import { expect, it } from 'vitest';
import type { NewEvent } from '../../../../src/runtime/storage/jobs.ts';
import { migrate } from '../../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../../../src/runtime/storage/postgres/postgres-store.ts';
import { property, resource } from '../../../support/descriptors.ts';
import { eventually } from '../../../support/eventually.ts';
import { borrowEmptyDatabase, hasPostgres } from '../../../support/postgres.ts';

const resources = [resource('things', 'Thing', [property('name')])];
const eventOf = (rowId: string): NewEvent => ({
  ...({ resource: 'things', rowId, tenant: '', kind: 'created', version: '1', row: '{}', before: null } as const),
  ...{ actor: null, depth: 1, requestId: 'r1' },
});
const WAITING = "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%lockstep_outbox%'";

it.skipIf(!hasPostgres)('a server leaves while another one takes its turn at the events', async () => {
  const { url, giveBack } = await borrowEmptyDatabase();
  await lockedPostgres(url, (target) => migrate(target, { resources, handWritten: [] }));
  const open = () => openPostgresStore({ url, resources, connections: 2, statementTimeoutMs: 60_000 });
  const [one, other] = await Promise.all([open(), open()]);
  const holder = new pg.Client(url);
  const observer = new pg.Client(url);
  await Promise.all([holder.connect(), observer.connect()]);
  await one.transaction(({ jobs }) => jobs.emit(() => ['a', 'b'].map(eventOf)), 'serial');

  await holder.query('begin; select from lockstep_outbox for update');
  const turn = one.jobs.takeEvents();
  await eventually(async () => expect((await observer.query(WAITING)).rowCount).toBe(1));
  await other.jobs.takeEvents();
  expect(await other.jobs.list({})).toEqual([]);
  await holder.query('rollback');
  await turn;
  await other.jobs.takeEvents();
  expect((await other.jobs.list({})).map(({ key }) => key)).toEqual(['a', 'b']);

  await Promise.all([holder.end(), observer.end(), one.close(), other.close()]);
  await giveBack();
});
