import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../src/descriptor/document.ts';
import { wantedBy } from '../../../src/runtime/judged-contract.ts';
import { admitServer, migrateDatabase, planDatabase } from '../../../src/runtime/storage/database/database.ts';
import { ask, emptyPlaceEach, execute, places } from '../../support/places.ts';
import { idOfThing, insertThing, thingContract } from '../../support/thing-contracts.ts';

type Part = ReturnType<typeof thingContract>;

const text = (rules: object): Schema => ({ type: 'string', ...rules });
const integer = { facts: { name: { type: 'integer' } } } as const;

/** Contracts that are stricter than before: rows 1 and 2 break them, row 3 does not. */
const STRICTER: readonly {
  readonly how: string;
  readonly before: Part;
  readonly now: Part;
  /** Values of the rows, as SQL. */
  readonly values: readonly string[];
  readonly says: string;
  readonly fix: string;
}[] = [
  {
    how: 'a value of an enum removed',
    before: thingContract({ name: text({ enum: ['OLD', 'NEW'] }) }),
    now: thingContract({ name: text({ enum: ['NEW'] }) }, { facts: { name: { enum: ['NEW'] } } }),
    values: ["'OLD'", "'OLD'", "'NEW'"],
    says: 'name must be NEW: 2 rows',
    fix: `update "things" set "name" = /* what these rows get */ where "name" not in ('NEW')`,
  },
  {
    how: 'a smaller maxLength',
    before: thingContract({ name: text({ maxLength: 200 }) }),
    now: thingContract({ name: text({ maxLength: 1 }) }),
    values: ["'ab'", "'abc'", "'é'"],
    says: 'name must have at most 1 character: 2 rows',
    fix: 'update "things" set "name" = /* what these rows get */ where length("name") > 1',
  },
  {
    how: 'a pattern',
    before: thingContract({ name: text({}) }),
    now: thingContract({ name: text({ pattern: '^[a-z]+$' }) }),
    values: ["'A'", "'1'", "'a'"],
    says: 'name must match the pattern ^[a-z]+$: 2 rows',
    fix: `update "things" set "name" = /* what these rows get */ where "id" in ('${idOfThing(1)}', '${idOfThing(2)}')`,
  },
  {
    how: 'a closer bound',
    before: thingContract({ name: { type: 'integer', minimum: 0 } }, integer),
    now: thingContract({ name: { type: 'integer', minimum: 10 } }, integer),
    values: ['9', '0', '10'],
    says: 'name must be at least 10: 2 rows',
    fix: 'update "things" set "name" = /* what these rows get */ where "name" < 10',
  },
  {
    how: 'a format',
    before: thingContract({ name: text({}) }),
    now: thingContract({ name: text({ format: 'email' }) }),
    values: ["'a'", "'b'", "'a@b.example'"],
    says: 'name must be an e-mail address: 2 rows',
    fix: 'update "things"',
  },
  {
    how: 'a rule inside of JSON',
    before: thingContract({ name: { type: 'array', items: text({}) } }, { facts: { name: { type: 'json' } } }),
    now: thingContract(
      { name: { type: 'array', items: text({ minLength: 2 }) } },
      { facts: { name: { type: 'json' } } },
    ),
    values: [`'["ab","a"]'`, `'["a"]'`, `'["ab"]'`],
    says: 'name must have at least 2 characters (/…): 2 rows',
    fix: 'update "things"',
  },
  {
    how: 'a property that may not be null any more',
    before: thingContract({ name: { type: ['string', 'null'] } }, { facts: { name: { nullable: true } } }),
    now: thingContract({ name: text({}) }),
    values: ['null', 'null', "'a'"],
    says: 'column things.name is optional, but required in the contract: 2 rows have no value',
    fix: 'update "things"',
  },
  {
    how: 'a rule for rows as a whole',
    before: thingContract({ name: text({}), note: text({}) }),
    now: thingContract(
      { name: text({}), note: text({}) },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      { rules: { if: { properties: { name: { const: 'a' } } }, then: { properties: { note: { const: 'b' } } } } },
    ),
    values: ["'a', 'c'", "'a', 'd'", "'a', 'b'"],
    says: 'note must be b: 2 rows',
    fix: 'update "things" set "note"',
  },
];

/** docs/migrations.md shows such a refusal. */
describe.each(places)('a contract that is stricter than the rows of $name', (place) => {
  const here = emptyPlaceEach(place);

  const migrated = (part: Part) => migrateDatabase(here.location, wantedBy(part), here.folder, { mayDrop: true });
  const planned = (part: Part) => planDatabase(here.location, wantedBy(part), here.folder);
  const insert = async (columns: readonly string[], rows: readonly string[]) => {
    const statements = rows.map((values, i) => insertThing(i + 1, { [columns.join(', ')]: values }));
    await execute(here.location, statements.join('; '));
  };

  it.each(STRICTER)(
    'by $how is found with the number of rows, and refused until they meet it',
    async ({ before, now, values, says, fix }) => {
      const columns = values[0]!.includes(',') && !values[0]!.includes('[') ? ['name', 'note'] : ['name'];
      await migrated(before);
      await insert(columns, values);
      const harmful = (await planned(now)).differences.filter(({ isHarmless }) => !isHarmless);
      expect(harmful).toHaveLength(1);
      expect(harmful[0]!.what).toContain(says);
      expect(harmful[0]!.what).toContain(`(ids ${idOfThing(1)}, ${idOfThing(2)})`);
      expect(harmful[0]!.byHand[0]).toContain(fix);
      await expect(migrated(now)).rejects.toThrow(says);
      await expect(admitServer(here.location, wantedBy(now), here.folder)).rejects.toThrow(
        'check the rows of things against',
      );

      // A pending file that mends the rows is taken into account by the plan, which changes nothing.
      await writeFile(join(here.folder, '0001-mend.sql'), `delete from things where id <> '${idOfThing(3)}';`);
      expect((await planned(now)).differences.filter(({ isHarmless }) => !isHarmless)).toEqual([]);
      await rm(join(here.folder, '0001-mend.sql'));
      expect((await planned(now)).differences).not.toEqual([]);
      await writeFile(join(here.folder, '0001-mend.sql'), `delete from things where id <> '${idOfThing(3)}';`);
      await migrated(now);
      await admitServer(here.location, wantedBy(now), here.folder);
      expect(await planned(now)).toMatchObject({ pending: [], own: [], steps: [], checks: [] });
    },
  );

  it('is found where the contract gains a property, too, that is unique, sorted and filtered by', async () => {
    await migrated(thingContract({ name: text({}) }));
    await insert(['name'], ["'long'", "'a'"]);
    const { document, resources } = thingContract(
      { name: text({ maxLength: 1 }), months: { type: 'integer' } },
      { unique: [['months']], facts: { months: { type: 'integer' } }, required: ['name'] },
    );
    const [thing] = resources;
    const sorts = ['months', 'name'].map((value) => ({ value, property: value, direction: 'asc' as const }));
    const filters = [{ parameter: 'months', property: 'months', shape: 'eq' as const, operators: ['eq' as const] }];
    const list = { defaultLimit: 20, maximumLimit: 100, filters, sorts, defaultSort: [] };
    const now: Part = { document, resources: [{ ...thing!, list }] };
    await expect(migrated(now)).rejects.toThrow('name must have at most 1 character: 1 row');
    await execute(here.location, "update things set name = 'b'");
    await migrated(now);
    await admitServer(here.location, wantedBy(now), here.folder);
  });

  it('is refused with the files that have run by then, which stay done', async () => {
    await migrated(thingContract({ name: text({}) }));
    await insert(['name'], ["'long'"]);
    await writeFile(join(here.folder, '0001-version.sql'), 'update things set version = version + 1;');
    const now = thingContract({ name: text({ maxLength: 1 }) });
    const refusal = async () => String(await migrated(now).catch((error: Error) => error.message));
    expect(await refusal()).toMatch(
      /name must have at most 1 character: 1 row.*\nCommitted before that, and not run again: migrations\/0001-version\.sql\. npm run migrate -- --check lists the remaining ones\.$/s,
    );
    expect(await refusal()).not.toContain('Committed');
    const versions = async () => (await ask(here.location, 'select version from things')).flat().map(Number);
    expect(await versions()).toEqual([2]);
    expect((await planned(now)).pending).toEqual([]);
    await execute(here.location, "update things set name = 'a'");
    await migrated(now);
    expect(await versions()).toEqual([2]);
  });

  it('names the first rows of many, and reads them once', async () => {
    await migrated(thingContract({ name: text({}) }));
    await insert(
      ['name'],
      Array.from({ length: 1_201 }, (_, i) => `'name ${i}'`),
    );
    const short = thingContract({ name: text({ maxLength: 6 }) });
    const [difference] = (await planned(short)).differences;
    expect(difference!.what).toBe(
      'rows of things break the contract: name must have at most 6 characters: ' +
        `1,191 rows (ids ${idOfThing(11)}, ${idOfThing(12)}, ${idOfThing(13)}, …)`,
    );
    await execute(here.location, "update things set name = 'a'");
    await migrated(short);
    // Written by another program, past the contract: it stops no change of something else.
    await execute(here.location, `update things set name = 'too long' where id = '${idOfThing(1)}'`);
    await migrated(thingContract({ name: text({ maxLength: 6 }), note: text({}) }, { required: ['name'] }));
  });

  it('by what rows already met is nothing to do', async () => {
    await migrated(thingContract({ name: text({ maxLength: 5, enum: ['a', 'b'] }) }));
    await insert(['name'], ["'another program wrote this'"]);
    for (const looser of [text({ maxLength: 6, enum: ['a', 'b', 'c'] }), text({ maxLength: 6 }), text({})]) {
      const part = thingContract({ name: looser });
      expect(await planned(part)).toMatchObject({ differences: [], checks: [] });
      await admitServer(here.location, wantedBy(part), here.folder);
    }
    await expect(migrated(thingContract({ name: text({ maxLength: 5 }) }))).rejects.toThrow('1 row (id ');
  });

  it('is found in a database that Lockstep has kept no record of', async () => {
    const part = thingContract({ name: text({ maxLength: 1 }) });
    await migrateDatabase(here.location, { resources: part.resources }, here.folder);
    await insert(['name'], ["'long'"]);
    await expect(admitServer(here.location, wantedBy(part), here.folder)).rejects.toThrow('check the rows of things');
    await expect(migrated(part)).rejects.toThrow('1 row (id ');
  });

  it('names rows of equal values that a unique key has to tell apart', async () => {
    await migrated(thingContract({ name: text({}) }));
    await insert(['name'], ["'a'", "'b'", "'a'", "'c'"]);
    const unique = thingContract({ name: text({}) }, { unique: [['name']] });
    const found = 'rows have the same values as others';
    const { differences } = await planned(unique);
    expect(differences.map(({ what }) => what)).toEqual([
      `create unique index things_name_key on things (name): 2 ${found} (ids ${idOfThing(1)}, ${idOfThing(3)})`,
    ]);
    await expect(migrated(unique)).rejects.toThrow(found);
    await execute(here.location, `update things set name = 'd' where id = '${idOfThing(3)}'`);
    expect((await migrated(unique)).done).toEqual(['create unique index things_name_key on things (name)']);
  });
});
