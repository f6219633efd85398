import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeText } from '../../src/clients/common/layer.ts';
import { goSamples } from '../../src/clients/samples.ts';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import { type SampleRequest, sampleRequests } from '../../src/compiler/emit/sample-requests.ts';
import { sampleOf } from '../../src/tools/docs/samples/sample.ts';
import { hasToolchain } from '../support/toolchains.ts';
import { makeClient, sh, startSurroundings } from './support.ts';

/** The samples of a contract in its client, each a program in a folder that has the name of its operation; what has one. */
async function sampled(contracts: string, base: string): Promise<readonly [folder: string, SampleRequest[]]> {
  const [folder, { model }] = await Promise.all([makeClient('go', contracts), modelContract(contracts)]);
  const samples = goSamples(model!, base);
  const requests = sampleRequests(model!).filter((request) => samples(request) !== undefined);
  for (const request of requests)
    await writeText(join(folder, 'cmd', request.operationId, 'main.go'), samples(request)!);
  return [folder, requests];
}

describe.runIf(hasToolchain('go'))('samples in Go', () => {
  test('meet the checks of go vet, and those that read run', async () => {
    const { API_URL, STAFF_TOKEN } = await startSurroundings();
    const [folder, requests] = await sampled('contracts', API_URL);
    expect(await sh('go vet ./... && gofmt -l .', folder)).toBe('');
    const headers = { Authorization: `Bearer ${STAFF_TOKEN}` };
    const reads = requests.filter(({ method }) => method === 'GET');
    let lists = 0;
    for (const request of reads) {
      const { status } = await fetch(sampleOf(request, API_URL).url, { headers });
      const run = sh(`go run ./cmd/${request.operationId}`, folder, { TOKEN: STAFF_TOKEN });
      if (status === 200) await run;
      else await expect(run).rejects.toThrow(/\b404 NOT_FOUND/);
      if (status === 200) lists += 1;
    }
    expect(lists).toBeGreaterThan(2);
  });

  test.each([
    ['clinic', 42],
    ['conservatory', 50],
    ['depot', 31],
  ])('of %s meet them, too', async (name, least) => {
    const [folder, requests] = await sampled(`test/fixtures/${name}`, 'http://127.0.0.1:3000');
    expect(requests.length).toBeGreaterThanOrEqual(least);
    expect(await sh('go vet ./... && gofmt -l .', folder)).toBe('');
  });
});
