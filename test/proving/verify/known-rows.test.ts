import { expect, it } from 'vitest';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { type KnownRow, KnownRows } from '../../../src/proving/verify/known-rows.ts';
import { contractOf } from '../../support/service.ts';

const caller = { name: 'owner', subject: undefined, authorization: undefined, scopes: new Set<string>(), claims: {} };

it('a deleted row goes with its descendants and with what refers to them by cascade', async () => {
  const { resources } = await contractOf('folders');
  const resource = (key: string): ResourceDescriptor => resources.find((one) => one.key === key)!;
  const rows = new KnownRows();
  const row = (key: string, id: string, values: object = {}, params: object = {}): KnownRow => {
    const own = resource(key);
    const made = { resource: own, id, caller, params: { ...params, [own.idParameter]: id }, values: { id, ...values } };
    rows.add(made);
    return made;
  };
  const root = row('folders', 'root');
  row('folders', 'child', { parentId: 'root' });
  row('folders', 'grandchild', { parentId: 'child' });
  row('folders.notes', 'note', {}, { folderId: 'grandchild' });
  row('folders', 'another');
  const pointing = row('shortcuts', 'pointing', { folderId: 'child' });
  const elsewhere = row('shortcuts', 'elsewhere', { folderId: 'another' });
  rows.remove(root);
  expect(rows.all.map(({ id }) => id)).toEqual(['another', 'pointing', 'elsewhere']);
  expect(pointing.values).toBeUndefined();
  expect(elsewhere.values).toBeDefined();
});
