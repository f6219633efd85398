import { beforeAll, describe, expect, it } from 'vitest';
import { mockSample } from '../../../src/authoring/mock/mock-sample.ts';
import type { Compiled } from '../../../src/compiler/compile-contract.ts';
import { type SampleRequest, sampleRequests } from '../../../src/compiler/emit/sample-requests.ts';
import { codeSamples } from '../../../src/readers/docs/samples/samples.ts';
import { load } from '../../../src/tools/sample.ts';
import { databases } from '../../support/databases.ts';
import { depotIn } from '../../support/depot.ts';
import { startCompiled } from '../../support/service.ts';

const filled = ({ path, inPath }: SampleRequest): string =>
  inPath.reduce((text, one) => text.replace(`{${one.name}}`, encodeURIComponent(one.value)), path);

describe.each(['camelCase', 'snake_case'] as const)('a contract with keys, in %s', (nameCase) => {
  let compiled: Compiled;
  beforeAll(async () => {
    compiled = await depotIn(nameCase);
  });

  it('compiles with the same SDL', () => {
    expect(compiled.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const [products] = compiled.model!.resources.filter(({ key }) => key === 'products');
    expect(products!.nameCase ?? 'camelCase').toBe(nameCase);
  });

  it('has rows in the mock that its own samples find by their keys, over both protocols', async () => {
    const contract = compiled.model!;
    const service = await startCompiled(contract, databases[0]!);
    const rows = [...mockSample({ contract, seed: 1, rows: 6 }).sample()];
    await load(service.store, contract.resources, rows);
    const { values } = rows.find(({ resource }) => resource === 'shelves')!;
    const as = { sub: String(values['keeperId'] ?? values['keeper_id']), scope: 'depot:write' };
    const reads = sampleRequests(contract).filter(({ method }) => method === 'GET');
    const paths = reads.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/products/{sku}', '/suppliers/by-code/{code}']));
    for (const request of reads) {
      const { status, text } = await service.request('GET', `/v1${filled(request)}`, { as });
      expect(status, `${filled(request)}: ${text}`).toBe(200);
    }
    const [{ inPath }] = reads.filter(({ path }) => path === '/suppliers/by-code/{code}') as [SampleRequest];
    const { data } = await service.graphql('query ($code: String!) { supplier(code: $code) { code } }', {
      variables: { code: inPath[0]!.value },
    });
    expect(data).toEqual({ supplier: { code: inPath[0]!.value } });
    await service.close();
  });

  it('has its keys in the samples of the documentation', () => {
    const { model } = compiled;
    const [curl] = codeSamples(model!, 'http://127.0.0.1:3000/v1')('getSupplierByCode');
    const [own] = sampleRequests(model!).filter(({ operationId }) => operationId === 'getSupplierByCode');
    expect(curl!.source).toContain(`/v1/suppliers/by-code/${own!.inPath[0]!.value}`);
  });
});
