import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Instance } from '../support/instance.ts';
import { Client } from './support/client.ts';
import { hasPostgresServer, PostgresServer } from './support/postgres-server.ts';
import { adminToken, isValid, json, productInput, report, times } from './support/shop.ts';

/** Creates that wait for a connection share transactions. */
describe.skipIf(!hasPostgresServer)('creates of 64 connections', () => {
  it('are there once if they were acknowledged, whatever is killed', async () => {
    const ACKNOWLEDGED = 15_000;
    const postgres = await PostgresServer.start();
    const instance = await Instance.start({ DATABASE_URL: postgres.url });
    const client = new Client(64);
    const acknowledged = new Map<string, string>();
    const refusals = new Map<number, number>();
    const kills = {
      server: async () => {
        await instance.end('SIGKILL');
        await instance.start();
      },
      connection: async () => void (await postgres.killOne('insert into "products"%')),
      database: async () => {
        await postgres.kill();
        await postgres.start();
      },
    };
    const plan = Object.entries(kills).flatMap(([name, kill]) => [1, 2, 3].map(() => ({ name, kill })));
    let killed = 0;
    let killing: Promise<void> | undefined;
    let sent = 0;
    const write = async () => {
      const sku = `GROUPED-${++sent}`;
      try {
        const body = productInput({ sku });
        const answer = await client.send('POST', `${instance.base}/products`, { token: adminToken, body });
        expect(isValid(answer)).toBe(true);
        if (answer.status === 201) acknowledged.set(sku, json(answer).id);
        else {
          refusals.set(answer.status, (refusals.get(answer.status) ?? 0) + 1);
          await delay(20);
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === undefined) throw error;
        await delay(20);
      }
      if (acknowledged.size < (killed + 1) * 1_000 || killed === plan.length || killing) return;
      const { kill } = plan[killed++ % plan.length]!;
      killing = kill().finally(() => {
        killing = undefined;
      });
    };
    await times(64, 64, async () => {
      while (acknowledged.size < ACKNOWLEDGED) await write();
    });
    await killing;
    client.close();
    const rows = await postgres.query('select id, sku from products');
    const kept = new Map(rows.map(({ id, sku }) => [sku, id]));
    const grouped = await postgres.query(
      'select count(*)::integer as n from (select from products group by xmin::text having count(*) > 1) as groups',
    );
    expect([...acknowledged].filter(([sku, id]) => kept.get(sku) !== id)).toEqual([]);
    expect(kept.size).toBe(rows.length);
    // A create that was tried again although it was committed would be refused.
    expect([...refusals.keys()]).toEqual([503]);
    expect(killed).toBe(plan.length);
    expect(grouped[0]?.['n']).toBeGreaterThan(100);
    const groups = Number(grouped[0]?.['n']);
    report('kill -9', { acknowledged: acknowledged.size, kills: killed, groups, lost: 0, twice: 0 });
    await instance.end('SIGKILL');
    await postgres.close();
  });
});
