import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../scale/support/bare-database.ts';
import { heads } from './rows/heads.ts';
import type { Attack } from './support/attack.ts';
import { AttackedServer } from './support/attacked-server.ts';
import { contracts } from './support/contracts.ts';
import { type Dataset, filled } from './support/dataset.ts';
import { request } from './support/requests.ts';
import { tallyOf } from './support/tally.ts';
import { nextNetwork, Target } from './support/target.ts';
import { Wire } from './support/wire.ts';

const MIB = 2 ** 20;
const WORKERS = 2;
const ROWS = 10;
/** Of an instance, beyond what it has before: 500 connections, and what each may have waiting. Kept heads come to thousands. */
const MOST_MIB = 100 * WORKERS;
/** Fewer than a caller may send in a minute. */
const READS = 200;
const postgres = databaseKinds.filter(({ name }) => name === 'Postgres');

/** Bytes of memory of all workers, now or at their worst since they began. */
function memoryOf(pids: readonly number[], field: 'VmRSS' | 'VmHWM'): number {
  const kibibytes = (pid: number): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]);
  return pids.reduce((sum, pid) => sum + kibibytes(pid), 0) * 1_024;
}

describe.runIf(process.platform === 'linux').each(postgres)('an instance of several workers, on $name,', (kind) => {
  let dataset: Dataset;
  let server: AttackedServer;
  let target: Target;

  beforeAll(async () => {
    dataset = await filled(kind, 'storefront', ROWS);
    server = await AttackedServer.start('storefront', dataset, { WORKERS: String(WORKERS) });
    target = new Target({ port: server.port, network: nextNetwork(), rows: ROWS });
  });
  afterAll(async () => {
    await server?.close();
    await dataset?.close();
  });

  const many = heads
    .filter(({ variant }) => variant.startsWith('2,000'))
    .map((one): [string, Attack] => [one.variant, one]);

  it.each(many)('keeps few of many requests in one write (%s), and answers others', async (_, attack) => {
    const workers = server.workers();
    expect(workers).toHaveLength(WORKERS);
    const before = memoryOf(workers, 'VmRSS');
    const [reader, late] = [await Wire.open(server.port, target.address()), target.address()];
    let isOver = false;
    const attacking = attack.run(target).finally(() => {
      isOver = true;
    });
    const statuses: number[] = [];
    const read = async (wire: Wire) =>
      statuses.push((await wire.send(request('GET', contracts.storefront.read))).status);
    while (!isOver && statuses.length < READS) await read(reader);
    const outcome = await attacking;
    const after = await Wire.open(server.port, late);
    await read(after);
    for (const wire of [reader, after]) wire.close();
    expect(tallyOf(statuses)).toEqual({ 200: statuses.length });
    expect(outcome.attack['0'] ?? 0).toBeGreaterThan(0);
    expect(server.workers()).toEqual(workers);
    expect((memoryOf(workers, 'VmHWM') - before) / MIB).toBeLessThanOrEqual(MOST_MIB);
  });
});
