import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../scale/support/bare-database.ts';
import { attacks } from './rows/attacks.ts';
import type { Attack } from './support/attack.ts';
import { AttackedServer } from './support/attacked-server.ts';
import type { ContractName } from './support/contracts.ts';
import { type Dataset, filled } from './support/dataset.ts';
import { Sides } from './support/measured.ts';
import { type Figures, growthMib, peakGrowthMib, refusedReads, tableOf, waits } from './support/report.ts';

/** Fewer with `ATTACK_ROWS` and `ATTACK_RUNS`, for a first look. */
const ROWS = Number(process.env['ATTACK_ROWS'] ?? 500_000);
const RUNS = Number(process.env['ATTACK_RUNS'] ?? 3);
/** Of the first attack of each row, whose memory must settle. */
const REPEATS = Number(process.env['ATTACK_RUNS'] ?? 10);
const MOST_WAIT_MS = 50;
const MOST_GROWTH_MIB = 20;
/** What lists are kept in by default. */
const LIST_CACHE_MIB = 64;
const MOST_RSS_GROWTH = 1.1;

/** Of requests alone. */
const MOST_PEAK_MIB = 100;
const mostPeakMib = (row: string): number => (/^p\./.test(row) ? MOST_PEAK_MIB : Number.POSITIVE_INFINITY);

/** The rows whose answers are lists that are kept. */
const LISTED = /^[egj]\./;

const CONTRACTS: readonly ContractName[] = ['storefront', 'archive', 'club'];
const all: Figures[] = [];

afterAll(() => console.log(tableOf(all)));

/** The attacks on a contract and a database, by their rows. */
function rowsOf(contract: ContractName, database: string): ReadonlyMap<string, readonly Attack[]> {
  const own = attacks.filter(
    (one) => one.contract === contract && (one.databases ?? [database]).includes(database as never),
  );
  return Map.groupBy(own, ({ row }) => row);
}

for (const kind of databaseKinds)
  for (const contract of CONTRACTS) {
    const place = `${contract}, ${kind.name}`;
    describe.runIf(process.platform === 'linux')(`attacks on the ${place}`, () => {
      let dataset: Dataset;
      let sides: Sides;

      beforeAll(async () => {
        dataset = await filled(kind, contract, ROWS);
        sides = new Sides();
      });
      afterAll(async () => {
        sides.end();
        await dataset.close();
      });

      describe.each([...rowsOf(contract, kind.name)])('%s', (row, own) => {
        let server: AttackedServer;

        beforeAll(async () => {
          server = await AttackedServer.start(contract, dataset);
        });
        afterAll(() => server?.close());

        it.each(own.map((attack, i) => [attack.variant, attack, i === 0] as const))(
          '%s',
          async (variant, attack, isFirst) => {
            const figures = await figuresOf(attack, attack.isDestructive ? 1 : isFirst ? REPEATS : RUNS);
            all.push(figures);
            console.log(tableOf([figures]).split('\n').at(-1));
            const { waitMs, livezMs, readyzMs } = waits(figures);
            const { after } = figures.memory;
            expect.soft(waitMs, 'others wait').toBeLessThanOrEqual(MOST_WAIT_MS);
            expect.soft(livezMs, '/livez').toBeLessThanOrEqual(MOST_WAIT_MS);
            expect.soft(readyzMs, '/readyz').toBeLessThanOrEqual(MOST_WAIT_MS);
            expect.soft(refusedReads(figures), 'reads refused').toBe(0);
            const mostMib = MOST_GROWTH_MIB + (LISTED.test(row) ? LIST_CACHE_MIB : 0);
            expect.soft(growthMib(figures), 'heap and external memory').toBeLessThanOrEqual(mostMib);
            expect.soft(peakGrowthMib(figures), 'peak of RSS').toBeLessThanOrEqual(mostPeakMib(row));
            if (after.length >= 10)
              expect.soft(after[9]!.rssBytes / after[2]!.rssBytes, 'RSS').toBeLessThanOrEqual(MOST_RSS_GROWTH);

            async function figuresOf(attacked: Attack, runs: number): Promise<Figures> {
              const memory = {
                before: await server.memory(),
                after: [] as Awaited<ReturnType<typeof server.memory>>[],
              };
              const measured = [];
              for (let i = 0; i < runs; i++) {
                measured.push(await sides.measure(server, attacked));
                memory.after.push(await server.memory());
              }
              return { row, variant, place, runs: measured, memory };
            }
          },
        );
      });
    });
  }
