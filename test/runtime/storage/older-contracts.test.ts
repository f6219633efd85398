import { describe, expect, it } from 'vitest';
import { wantedBy } from '../../../src/runtime/judged-contract.ts';
import {
  admitServer,
  type MigrateOptions,
  migrateDatabase,
  planDatabase,
} from '../../../src/runtime/storage/database/database.ts';
import { emptyPlaceEach, execute, places } from '../../support/places.ts';
import { thingContract } from '../../support/thing-contracts.ts';

type Part = ReturnType<typeof thingContract>;

const text = { type: 'string' };
const old = thingContract({ name: text }, { version: '1.0.0', unique: [['name']] });
const added = thingContract({ name: text, note: text }, { version: '1.1.0', required: ['name'], unique: [['note']] });
const integer = { type: 'integer' };
const part = (...[schemas, facts]: Parameters<typeof thingContract>): Part =>
  thingContract(schemas, { version: '1.1.0', ...facts });

/** The contract with another resource. */
const withMakers = ({ document, resources: [thing] }: Part): Part => {
  const schemas = document.components!.schemas!;
  const maker = {
    ...thing!,
    key: 'makers',
    name: 'Maker',
    table: 'makers',
    schemas: { ...thing!.schemas, resource: 'Maker' },
  };
  return {
    document: { ...document, components: { schemas: { ...schemas, Maker: schemas['Thing']! } } },
    resources: [thing!, maker],
  };
};
/** The old contract with the version that the new one has: told apart by what was served last. */
const unversioned = thingContract({ name: text }, { version: '1.1.0', unique: [['name']] });

describe.each(places)('contracts that are served one after the other on $name', (place) => {
  const here = emptyPlaceEach(place);

  const planned = (part: Part) => planDatabase(here.location, wantedBy(part), here.folder);
  const admitted = (part: Part) => admitServer(here.location, wantedBy(part), here.folder);
  const migrated = (part: Part, options?: MigrateOptions) =>
    migrateDatabase(here.location, wantedBy(part), here.folder, options);
  const indexed = async (part: Part) => (await planned(part)).steps.map(({ what }) => what);

  it('leave the indexes of others alone, and their own as long as servers start', async () => {
    await migrated(old);
    await execute(here.location, 'create index things_version_index on things (version)');
    await migrated(added);
    expect(await indexed(added)).toEqual(['drop index things_name_key']);
    expect((await migrated(added, { mayDrop: true })).done).toEqual(['drop index things_name_key']);
    expect(await indexed(added)).toEqual([]);
    await expect(execute(here.location, 'drop index things_version_index')).resolves.toBeUndefined();
  });

  it.each([
    ['by its version', old, old],
    ['by what was served before', unversioned, { ...unversioned }],
  ])('are told apart: an older one, %s, changes nothing and is served', async (_, older, restarted) => {
    await migrated(older);
    await migrated(added, { mayDrop: true });
    const before = await planned(added);
    const olderThan = expect.objectContaining({ name: expect.stringMatching(/^1\.1\.0/) });
    for (const start of [migrated, admitted])
      expect(await start(restarted)).toEqual({ done: [], remarks: [], olderThan });
    expect((await planned(older)).standing).toBe('older');
    expect(await planned(added)).toEqual(before);
    expect(before).toMatchObject({ standing: 'same', served: '1.1.0', steps: [] });
  });

  it.each<[how: string, newer: Part, differing: string]>([
    [
      'a new property and a changed one',
      part({ name: { ...text, maxLength: 9 }, note: text }),
      'things.name, things.note',
    ],
    ['a property of another type', part({ name: integer }, { facts: { name: { type: 'integer' } } }), 'things.name'],
    ['another default', part({ name: text }, { facts: { name: { initial: 'x' } } }), 'things.name'],
    ['rules of rows as a whole', part({ name: text }, { rules: { minProperties: 5 } }), 'things'],
    ['indexes alone', part({ name: text }), 'indexes'],
    ['another resource', withMakers(part({ name: text }, { unique: [['name']] })), 'makers'],
  ])('of one version are told apart by digest, with the columns that differ: %s', async (_, newer, differing) => {
    const older = part({ name: text }, { unique: [['name']] });
    await migrated(older);
    await execute(here.location, 'drop index things_name_key; drop table things');
    await migrated(newer, { mayDrop: true });
    const { olderThan } = await planned(older);
    expect(olderThan).toEqual({
      name: expect.stringMatching(/^1\.1\.0, digest [0-9a-f]{12}$/),
      olderName: expect.stringMatching(/^1\.1\.0, digest [0-9a-f]{12}$/),
      difference: `; they differ in ${differing}`,
    });
    expect(olderThan!.name).not.toBe(olderThan!.olderName);
    await execute(here.location, 'drop table things');
    for (const start of [migrated, admitted])
      await expect(start(older)).rejects.toThrow(
        `newer contract (${olderThan!.name}); this one (${olderThan!.olderName}) cannot be served in addition; they differ in ${differing}.`,
      );
  });

  it('are not served beside a newer one that took away what they need', async () => {
    await migrated(added);
    await migrated(thingContract({ name: text }, { version: '2.0.0' }));
    await execute(here.location, 'drop index things_note_key');
    await execute(here.location, 'alter table things drop column note');
    for (const start of [migrated, admitted])
      await expect(start(added)).rejects.toThrow(/newer contract \(2\.0\.0\).*\n {2}add column things\.note\n/s);
  });

  it('may be gone back to', async () => {
    await migrated(old);
    await migrated(added, { mayDrop: true });
    const { done } = await migrated(old, { evenIfOlder: true });
    expect(done).toEqual(['create unique index things_name_key on things (name)']);
    expect((await planned(old)).standing).toBe('same');
    expect((await admitted(added)).olderThan).toBeUndefined();
  });

  it('wait for their migration when they are newer, and are recorded once they are served', async () => {
    await expect(admitted(old)).rejects.toThrow(/Pending:\n {2}create table lockstep_/);
    await migrated(old);
    await expect(admitted(added)).rejects.toThrow(/Pending:\n {2}add column things\.note\n/);
    const looser = thingContract({ name: { type: ['string', 'number'] } }, { version: '1.0.1', unique: [['name']] });
    expect(await admitted(looser)).toEqual({ done: [], remarks: [] });
    expect((await admitted(old)).olderThan).toEqual({ name: '1.0.1', olderName: '1.0.0', difference: '' });
  });

  it('take over the indexes that were made before there was a record of them', async () => {
    await migrateDatabase(here.location, { resources: old.resources }, here.folder);
    await execute(here.location, 'drop table lockstep_object; drop table lockstep_contract');
    await execute(here.location, 'create index things_version_index on things (version)');
    await migrated(old);
    expect(await indexed(added)).toContain('drop index things_name_key');
    expect(await indexed(added)).not.toContain('drop index things_version_index');
  });
});
