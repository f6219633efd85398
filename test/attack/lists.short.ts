import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../scale/support/bare-database.ts';
import { deletions, forbiddenDeletion } from './rows/deletions.ts';
import { type AskFor, COMBINED, LISTS, SERVED, SUMMARIES, TOTALS, WHOLE_LIST } from './rows/lists.ts';
import { deleteInTurns, WRITES } from './rows/places.ts';
import { AttackedServer } from './support/attacked-server.ts';
import { contracts, type ParentalContract } from './support/contracts.ts';
import { compared, cpuThere } from './support/cpu.ts';
import { type Dataset, filled } from './support/dataset.ts';
import { aheadOf } from './support/overtaking.ts';
import { request } from './support/requests.ts';
import { tallyOf } from './support/tally.ts';
import { nextNetwork, Target } from './support/target.ts';
import { Wire } from './support/wire.ts';

/** Many more than a read may test where others wait for it. */
const ROWS = 100_000;
const CALLERS = 12;
const READS = 5;
/** What a dear list may take of the main thread, in pages that an index serves. */
const MOST_TIMES = 12;
/** What a refused deletion may take of it, in reads by key, its connection included. */
const MOST_READS = 20;
/** Its alternatives are statements of their own, and take a second each time. */
const MANY_CONDITIONS: ReadonlySet<string> = new Set(['alternatives of rows of rows']);
/** An answer that has as many groups as 50 pages have rows, and what it may take of the main thread in such pages. */
const MANY_GROUPS = 'totals of as many groups as rows';
const MOST_TIMES_OF_GROUPS = 60;
/** Within what a caller may ask for in a minute. */
const READS_OF_ONE = 100;
/** Enough to see that a deletion leaves turns to others: more of them would hold it up. */
const READS_BESIDE = 500;
/** More than may wait for the lane. */
const FROM_ONE = 120;

const CONTRACTS: readonly ParentalContract[] = ['storefront', 'archive'];

for (const kind of databaseKinds)
  for (const contract of CONTRACTS)
    describe.runIf(process.platform === 'linux')(`dear reads of the ${contract} on ${kind.name}`, () => {
      let dataset: Dataset;
      let server: AttackedServer;
      let target: Target;
      let asked = 0;

      beforeAll(async () => {
        dataset = await filled(kind, contract, ROWS);
        server = await AttackedServer.start(contract, dataset);
        target = new Target({ port: server.port, network: nextNetwork(), rows: ROWS });
      });
      afterAll(async () => {
        await server?.close();
        await dataset.close();
      });

      const open = (): Promise<Wire> => Wire.open(server.port, target.address());
      const dear = Object.entries({ ...LISTS, ...SUMMARIES, ...TOTALS, ...COMBINED })
        .filter(([, [of]]) => of === contract)
        .map(([what, [, ask]]) => [what, ask] as const);
      const next = (ask: AskFor): Buffer => ask(asked++, ROWS);
      const read = async (reader: Wire): Promise<void> => {
        expect((await reader.send(request('GET', contracts[contract].read))).status).toBe(200);
      };

      it.each(dear)('%s takes little of the main thread', async (what, ask) => {
        const ofRows = MANY_CONDITIONS.has(what) ? 10 * MOST_TIMES : MOST_TIMES;
        const enough = what === MANY_GROUPS ? MOST_TIMES_OF_GROUPS : ofRows;
        const spent = async (one: AskFor, mostAsks?: number): Promise<number> => {
          const wire = await open();
          const answer = async () => expect([200, 503]).toContain((await wire.send(next(one))).status);
          return cpuThere(server, answer, mostAsks).finally(() => wire.close());
        };
        const { times, words } = await compared(
          enough,
          () => spent(ask, MANY_CONDITIONS.has(what) ? 3 : undefined),
          () => spent(SERVED[contract]),
        );
        expect(times, words).toBeLessThanOrEqual(enough);
      });

      // Where indexes make a list cheap, all of them may be answered first.
      it.each(dear.filter(([what]) => kind.name === 'SQLite' && !what.includes('GraphQL')))(
        '%s is overtaken by reads by key',
        async (_, ask) => {
          const wires = await Promise.all(Array.from({ length: CALLERS }, open));
          const readers = await Promise.all(Array.from({ length: READS }, open));
          const { ahead } = await aheadOf(
            server,
            contracts[contract].read,
            () => wires.map((wire) => wire.send(next(ask))),
            () => Promise.all(readers.map(read)),
          );
          for (const wire of [...wires, ...readers]) wire.close();
          expect(ahead).toBeLessThan(CALLERS);
        },
      );

      it.runIf(contract === 'archive')(
        'a list of a whole table, asked for by one caller, keeps nobody from the lane',
        async () => {
          const address = target.address();
          const wires = await Promise.all(Array.from({ length: FROM_ONE }, () => Wire.open(server.port, address)));
          const own = wires.map((wire) => wire.send(next(WHOLE_LIST)));
          const others = await Promise.all(
            Array.from({ length: 4 }, async () => {
              const wire = await open();
              const { status } = await wire.send(next(WHOLE_LIST));
              wire.close();
              return status;
            }),
          );
          const statuses = await Promise.all(own);
          for (const wire of wires) wire.close();
          expect(tallyOf(others)).toEqual({ 200: others.length });
          expect(statuses.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
        },
      );

      it.runIf(contract === 'storefront')(
        'a deletion that one of many rows forbids takes no more than a few reads',
        async () => {
          const { times, words } = await compared(
            MOST_READS,
            () =>
              cpuThere(server, async () => expect((await forbiddenDeletion.run(target)).attack).toEqual({ 409: 1 })),
            async () => {
              const wire = await open();
              return cpuThere(server, () => read(wire)).finally(() => wire.close());
            },
          );
          expect(times, words).toBeLessThanOrEqual(MOST_READS);
        },
      );

      it.runIf(contract === 'archive' && kind.name === 'Postgres')(
        'a write does not wait for all of another caller',
        async () => {
          await server.work();
          const { attack, others, path } = await deleteInTurns(target, (send) => server.stoppedFor(send));
          expect([attack, others]).toEqual([{ 204: WRITES }, { 204: 1 }]);
          // By the order of the server: a client may see all at once.
          const { answered } = await server.work();
          expect(answered).toContain(path);
          expect(answered.indexOf(path)).toBeLessThan(WRITES / 2);
        },
      );

      it.each(deletions.filter((one) => one.contract === contract).map((one) => [one.variant, one] as const))(
        'a deletion that concerns many rows (%s) is refused, or leaves turns to others',
        async (_, deletion) => {
          let reader = await open();
          let reads = 0;
          let isOver = false;
          const deleting = deletion.run(target).finally(() => {
            isOver = true;
          });
          for (; !isOver && reads < READS_BESIDE; reads++) {
            if (reads % READS_OF_ONE === 0) {
              reader.close();
              reader = await open();
            }
            await read(reader);
          }
          reader.close();
          const { attack } = await deleting;
          if (kind.name === 'SQLite') expect(attack).toEqual({ 409: 1 });
          else expect([reads > READS, attack]).toEqual([true, { 204: 1 }]);
        },
      );
    });
