import { describe, expect, it } from 'vitest';
import { wantedBy } from '../../../src/runtime/judged-contract.ts';
import { migrateDatabase, openStore } from '../../../src/runtime/storage/database/database.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { pinoLines } from '../../support/log-lines.ts';
import { emptyPlaceEach, execute, places } from '../../support/places.ts';
import { startCompiled } from '../../support/service.ts';

const as = { sub: 'h', scope: 'staff:admin' };
const SETTINGS = { sqliteSynchronous: 'normal', databaseConnections: 2, statementTimeoutMs: 60_000 } as const;

/** An instance that a migration has left behind is not at fault, and neither is its caller. */
describe.each(places)('a column or table that is missing on $name', (place) => {
  const here = emptyPlaceEach(place);

  async function served(
    work: (service: Awaited<ReturnType<typeof startCompiled>>, entries: unknown[]) => Promise<void>,
  ) {
    const contract = await editedContract('payroll', [['openapi.yaml', 'title: Payroll', 'title: Payrolls']]);
    await migrateDatabase(here.location, wantedBy(contract), here.folder);
    const store = await openStore(here.location, contract.resources, SETTINGS);
    const { log, entries } = pinoLines('warn');
    const open = async () => ({ store, close: async () => store.close() });
    const service = await startCompiled(contract, { name: place.name, open }, {}, { http: { log } as never });
    await work(service, entries).finally(() => service.close());
  }
  const department = { name: 'Sales', headId: 'h' };

  it.each([
    ['a column renamed', 'alter table departments rename column head_id to boss_id', 'column head_id'],
    ['a table renamed', 'alter table departments rename to units', 'table departments'],
  ])('is 503 over both protocols, and one line of the log names it: %s', (_, sql, name) =>
    served(async ({ request, graphql }, entries) => {
      const { body } = await request('POST', '/v1/departments', { as, body: department });
      const etag = { 'if-match': '"1"', 'content-type': 'application/merge-patch+json' };
      await execute(here.location, sql);
      const replies = [
        await request('GET', `/v1/departments/${body.id}`, { as }),
        await request('GET', '/v1/departments', { as }),
        await request('POST', '/v1/departments', { as, body: department }),
        await request('PATCH', `/v1/departments/${body.id}`, { as, body: { name: 'Sale' }, headers: etag }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
      const { errors } = await graphql('{ departments { nodes { name headId } } }', { as });
      expect(errors?.[0]?.extensions['code']).toBe('SERVICE_UNAVAILABLE');
      expect(entries).toMatchObject([{ msg: 'request refused', why: `the database has no ${name}` }]);
    }),
  );

  it('is 500 where a trigger of others lacks it', () =>
    served(async ({ request }, entries) => {
      await execute(
        here.location,
        place.kind === 'sqlite'
          ? "create trigger own after insert on departments begin insert into audit (name) values ('x'); end"
          : `create function own() returns trigger language plpgsql as $$ begin insert into audit (name) values ('x'); return new; end $$;
             create trigger own after insert on departments for each row execute function own()`,
      );
      expect(await request('POST', '/v1/departments', { as, body: department })).toMatchObject({ status: 500 });
      expect(entries).toMatchObject([{ msg: 'request failed' }]);
    }));
});
