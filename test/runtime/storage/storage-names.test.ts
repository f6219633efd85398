import { describe, expect, it } from 'vitest';
import { mockSample } from '../../../src/authoring/mock/mock-sample.ts';
import { publishedDocument } from '../../../src/compiler/emit/published-document.ts';
import { wantedBy } from '../../../src/runtime/judged-contract.ts';
import { planDatabase } from '../../../src/runtime/storage/database/database.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { load } from '../../../src/tools/sample.ts';
import { databases } from '../../support/databases.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { emptyPlaceEach, places } from '../../support/places.ts';
import { startCompiled } from '../../support/service.ts';
import { thingContract } from '../../support/thing-contracts.ts';

const FIRST = '1.0.0';
const NEXT = '1.1.0';
/** `badge` is `tag` by now, and the departments are units. */
const renamed = () =>
  editedContract('payroll', [
    ['openapi.yaml', `version: ${FIRST}`, `version: ${NEXT}`],
    ['openapi.yaml', /^( +)badge:$/gm, '$1tag:\n$1  x-column: badge'],
    ['openapi.yaml', /\bbadge: \{/g, 'tag: {'],
    ['schema.graphql', /\bbadge\b/g, 'tag'],
    ['openapi.yaml', '/departments', '/units'],
    ['openapi.yaml', /^ {4}Department:$/gm, '    Department:\n      x-table: departments'],
    ['schema.graphql', /\bdepartments\(/g, 'units('],
  ]);
const admin = { sub: 'a', scope: 'staff:admin' };

describe.each(databases)('names of tables and columns on $name', (database) => {
  it('keep the rows of what is renamed, over both protocols', async () => {
    const before = await editedContract('payroll', [['openapi.yaml', 'title: Payroll', 'title: Payrolls']]);
    const after = await renamed();
    const { stores, close } = await database.share([before.resources, after.resources]);
    const opened = (i: number) => ({ ...database, open: async () => ({ store: stores[i]!, close: async () => {} }) });
    const [old, now] = [await startCompiled(before, opened(0)), await startCompiled(after, opened(1))];
    const made = await old.request('POST', '/v1/departments', { as: admin, body: { name: 'Sales', headId: 'h' } });
    expect(made).toMatchObject({ status: 201 });
    const body = { name: 'Ann', userId: 'ann', departmentId: made.body.id, salary: 1, level: 'LEAD', badge: 'B-1' };
    const { body: ann } = await old.request('POST', '/v1/employees', { as: admin, body });
    expect(ann).toMatchObject({ badge: 'B-1' });
    const read = await now.request('GET', `/v1/employees/${ann.id}`, { as: admin });
    expect(read.body).toMatchObject({ tag: 'B-1' });
    const patched = await now.request('PATCH', `/v1/employees/${ann.id}`, {
      as: admin,
      body: { tag: 'B-2' },
      headers: { 'content-type': 'application/merge-patch+json', 'if-match': read.headers['etag'] as string },
    });
    expect([patched.status, patched.body.tag]).toEqual([200, 'B-2']);
    const query = 'query ($id: ID!) { employee(id: $id) { tag department { name } } }';
    const { data } = await now.graphql(query, { as: admin, variables: { id: ann.id } });
    expect(data.employee).toEqual({ tag: 'B-2', department: { name: 'Sales' } });
    expect((await old.request('GET', `/v1/employees/${ann.id}`, { as: admin })).body.badge).toBe('B-2');
    expect((await now.request('GET', '/v1/units', { as: admin })).body.data).toMatchObject([{ name: 'Sales' }]);
    for (const service of [old, now]) await service.close();
    await close();
  });

  it('keep the count of ids, and take sample rows', async () => {
    const renamed = await editedContract('depot', [
      ['openapi.yaml', '/suppliers', '/vendors'],
      ['openapi.yaml', /^ {4}Supplier:$/gm, '    Supplier:\n      x-table: suppliers'],
      ['openapi.yaml', /(x-immutable: true \}\n +name: \{ type: string)/g, '$1, x-column: title'],
      ['schema.graphql', /^ {2}suppliers\(/gm, '  vendors('],
    ]);
    const { stores, close } = await database.share([renamed.resources]);
    const [store] = stores as [Store];
    const { sample } = mockSample({ contract: renamed, seed: 1, rows: 3 });
    await load(store, renamed.resources, sample());
    const service = await startCompiled(renamed, { ...database, open: async () => ({ store, close: async () => {} }) });
    const as = { sub: 'a', scope: 'depot:write' };
    const { body } = await service.request('GET', '/v1/vendors', { as });
    const ids = body.data.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b);
    expect(ids).toEqual([1, 2, 3]);
    const made = await service.request('POST', '/v1/vendors', { as, body: { code: 'zz', name: 'Zed' } });
    expect(made).toMatchObject({ status: 201, body: { id: 4, name: 'Zed' } });
    const { data } = await service.graphql('{ supplier(id: 4) { name } }', { as });
    expect(data).toEqual({ supplier: { name: 'Zed' } });
    await service.close();
    await close();
  });

  it('are in no published document', async () => {
    const { document } = await renamed();
    expect(JSON.stringify(document)).toMatch(/"x-column".*"x-table"|"x-table".*"x-column"/);
    expect(JSON.stringify(publishedDocument(document))).not.toMatch(/x-column|x-table/);
  });
});

describe.each(places)('a column that is named, on $name,', (place) => {
  const here = emptyPlaceEach(place);

  it('has the indexes, keys and searches of its property, and nothing more to do', async () => {
    const contract = thingContract(
      { name: { type: 'string' } },
      { facts: { name: { column: 'Title' } }, unique: [['name']] },
    );
    const { steps } = await planDatabase(here.location, wantedBy(contract), here.folder);
    expect(steps.map(({ what }) => what)).toContain('create unique index things_Title_key on things (Title)');
  });
});
