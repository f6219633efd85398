import { expect, it } from 'vitest';
import { mockHandlers } from '../../../src/authoring/mock/mock-handlers.ts';
import { mockSample } from '../../../src/authoring/mock/mock-sample.ts';
import { requestsById } from '../../../src/compiler/emit/sample-requests.ts';
import type { ContractModel } from '../../../src/compiler/model/model.ts';
import { load } from '../../../src/tools/sample.ts';
import { databases } from '../../support/databases.ts';
import { contractOf, startCompiled } from '../../support/service.ts';

const operator = { sub: 'o', scope: 'tracker:operate', claims: { tenant: 'example' } };

it.each(databases)(
  'the mock joins rows for lists through other resources, those of the examples first, on $name',
  async (database) => {
    const contract = (await contractOf('tracker')) as ContractModel;
    const requests = requestsById(contract);
    const [issue, label] = ['getIssue', 'getLabel'].map((id) => requests.get(id)!.inPath[0]!.value);
    const service = await startCompiled(contract, database, mockHandlers(contract, 1));
    await load(service.store, contract.resources, mockSample({ contract, seed: 1, rows: 10 }).sample());
    const get = async (path: string) => (await service.request('GET', `/v1${path}`, { as: operator })).body;
    const names = ({ data }: { data: { name: string }[] }): string[] => data.map(({ name }) => name);
    const labels = names(await get(`/issues/${issue}/labels?sort=name`));
    expect(labels.length).toBeGreaterThan(1);
    expect(names(await get(`/issues/${issue}/labels?sort=name&limit=1`))).toEqual(labels.slice(0, 1));
    expect(names(await get(`/issues/${issue}/labels?name=${encodeURIComponent(labels[1]!)}`))).toEqual([labels[1]]);
    expect((await get(`/labels/${label}/issues`)).data.length).toBeGreaterThan(1);
    expect((await get('/issue-labels?count=true')).page.totalCount).toBe(30);
    await service.close();
  },
);
