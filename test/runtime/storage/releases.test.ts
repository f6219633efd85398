import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wantedBy } from '../../../src/runtime/judged-contract.ts';
import { type DatabaseLocation, planDatabase } from '../../../src/runtime/storage/database/database.ts';
import { runHere } from '../../support/command.ts';
import { emptyPlaceEach, execute, places } from '../../support/places.ts';
import {
  fill,
  Killed,
  migrateTo,
  presentContract,
  type Released,
  releasedContracts,
  stateOf,
} from '../../support/release-paths.ts';
import { isThorough } from '../../support/thorough.ts';

/** Of the moments to be killed at, one in so many is tried. */
const KILLED_EVERY = isThorough ? Number(process.env['SAMPLE'] ?? 1) : 61;

/** Files that each pass on a database of any age, as docs/migrations.md says. */
describe.each(releasedContracts)('the releases of $name', (released) => {
  const last = released.releases.length;
  const all = released.releases.map((_, i) => i + 1);
  const paths = [...all.map((start) => [...new Set([start, last])]), all];

  describe.each(places)('on $name', (place) => {
    const here = emptyPlaceEach(place);

    /** The state after `work` on a database of its own. */
    async function after(work: (location: DatabaseLocation, folder: string) => Promise<void>): Promise<unknown> {
      const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
      const { location, drop } = await place.open();
      await work(location, folder);
      const state = await stateOf(released, location);
      await drop();
      await rm(folder, { recursive: true });
      return state;
    }

    it('are migrated from nothing, with nothing left to do', async () => {
      await migrateTo(released, last, here.location, here.folder);
      const plan = await planDatabase(here.location, wantedBy(await presentContract(released)), here.folder);
      expect(plan).toMatchObject({ pending: [], own: [], steps: [], differences: [], isNew: false });
    });

    it.each([
      ['with rows', true],
      ['without rows', false],
    ])('are migrated from each of them, %s, to one state', async (_, hasRows) => {
      const states = paths.map((path) =>
        after(async (location, folder) => {
          for (const [i, number] of path.entries()) {
            await migrateTo(released, number, location, folder);
            if (i === 0 && hasRows) await fill(released, number, location);
          }
        }),
      );
      const [first, ...others] = await Promise.all(states);
      for (const other of others) expect(other).toEqual(first);
    });

    it.each([
      ['from nothing', undefined],
      ['from the first', 1],
    ])('are migrated %s to one state, at whatever moment they are killed', async (_, start) => {
      const prepared = async (location: DatabaseLocation, folder: string) => {
        if (start === undefined) return;
        await migrateTo(released, start, location, folder);
        await fill(released, start, location);
      };
      const whole = await after(async (location, folder) => {
        await prepared(location, folder);
        await migrateTo(released, last, location, folder);
      });
      let wasKilled = true;
      for (let changes = 0; wasKilled; changes += KILLED_EVERY) {
        const state = await after(async (location, folder) => {
          await prepared(location, folder);
          wasKilled = await isKilled(released, location, folder, changes);
          await migrateTo(released, last, location, folder);
        });
        expect(state, `killed after ${changes} changes`).toEqual(whole);
      }
    });
  });
});

describe.each(places)('a copy into $name', (place) => {
  const [from, to] = [emptyPlaceEach(places[0]!), emptyPlaceEach(place)];
  const ferry = releasedContracts[1]!;
  const last = ferry.releases.length;
  const urlOf = (location: DatabaseLocation) => (location.kind === 'sqlite' ? `sqlite:${location.file}` : location.url);

  it('has the rows of the source alone, and files have nothing left to do', async () => {
    await migrateTo(ferry, 1, from.location, from.folder);
    await fill(ferry, 1, from.location);
    await migrateTo(ferry, last, from.location, from.folder);
    await execute(from.location, "delete from harbours where code = 'TLL'");
    const contract = ferry.releases.at(-1)!.contract;
    const args = ['--contracts', contract, '--from', urlOf(from.location), '--to', urlOf(to.location)];
    const { code, stdout } = await runHere('scripts/copy.ts', args, { MIGRATIONS_DIR: ferry.migrations });
    expect([code, stdout]).toEqual([
      0,
      'vessels: 1 row, all the same\nharbours: 1 row, all the same\ncrossings: 0 rows, all the same\n' +
        'Jobs of the copy are held until `npm run jobs -- release`.\n',
    ]);
    const wanted = wantedBy(await presentContract(ferry));
    expect(await planDatabase(to.location, wanted, ferry.migrations)).toMatchObject({ pending: [], steps: [] });
  });
});

async function isKilled(released: Released, location: DatabaseLocation, folder: string, changes: number) {
  try {
    await migrateTo(released, released.releases.length, location, folder, changes);
    return false;
  } catch (error) {
    if (error instanceof Killed) return true;
    throw error;
  }
}
