import { expect, it } from 'vitest';
import { mockHandlers } from '../../../src/authoring/mock/mock-handlers.ts';
import { mockSample } from '../../../src/authoring/mock/mock-sample.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { load } from '../../../src/tools/sample.ts';
import { databases } from '../../support/databases.ts';
import { filteredPayroll } from '../../support/filtered-payroll.ts';
import { admin } from '../../support/payroll.ts';
import { startCompiled } from '../../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers
type Json = any;

const [sqlite] = databases;

it('the mock answers lists by filters that combine conditions', async () => {
  const { model: contract } = await filteredPayroll([], (folder) => modelContract(folder));
  const service = await startCompiled(contract!, sqlite!, mockHandlers(contract!, 1));
  await load(service.store, contract!.resources, mockSample({ contract: contract!, seed: 1, rows: 20 }).sample());
  const get = async (path: string): Promise<Json> => (await service.request('GET', path, { as: admin })).body;
  const ids = ({ data }: Json): readonly string[] => data.map((one: Json) => one.id).toSorted();
  const everybody = await get('/v1/employees?limit=50');
  const [one, other] = everybody.data;
  const { name } = await get(`/v1/departments/${one.departmentId}`);
  const filter = { or: [{ department: { name } }, { userId: { eq: other.userId } }] };
  const found = ids(await get(`/v1/employees?limit=50&filter=${encodeURIComponent(JSON.stringify(filter))}`));
  expect(found).toEqual(expect.arrayContaining([one.id, other.id]));
  expect(found.length).toBeLessThan(everybody.data.length);
  await service.close();
});
