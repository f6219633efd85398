import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { type SampleRequest, sampleRequests } from '../../../src/compiler/emit/sample-requests.ts';
import { writeText } from '../../../src/readers/clients/common/layer.ts';
import { goSamples } from '../../../src/readers/clients/samples.ts';
import { oneIn } from '../../support/thorough.ts';
import { hasToolchain } from '../../support/toolchains.ts';
import { expectEvents, guideSamples, makeClient, sh, startMock } from './support.ts';

/**
 * The samples of a contract in its client, each a program in a folder that has the name of its operation, and those of its guides;
 * what has one, and how many these are.
 */
async function sampled(
  contracts: string,
  origin: string,
): Promise<readonly [folder: string, requests: SampleRequest[], guides: number]> {
  const [folder, { model }] = await Promise.all([makeClient('go', contracts), modelContract(contracts)]);
  const samples = goSamples(model!, `${origin}/v1`);
  const requests = sampleRequests(model!).filter((request) => samples(request) !== undefined);
  for (const request of requests)
    await writeText(join(folder, 'cmd', request.operationId, 'main.go'), samples(request)!);
  const guides = await guideSamples('Go', model!, `${origin}/v1`);
  for (const [index, source] of guides.entries())
    await writeText(join(folder, 'cmd', `guide${index}`, 'main.go'), source);
  expect(await sh('go vet ./... && gofmt -l .', folder)).toBe('');
  return [folder, requests, guides.length];
}

describe.runIf(hasToolchain('go'))('samples in Go', () => {
  test('meet the checks of go vet, and those that read and those of guides run on the mock', async () => {
    const mock = await startMock();
    const [folder, requests, guides] = await sampled('contracts', mock.origin);
    const reads = requests.flatMap(({ method, operationId }) => (method === 'GET' ? [operationId] : []));
    const all = [...reads, ...Array.from({ length: guides }, (_, index) => `guide${index}`)];
    expect([reads.length > 9, guides > 8]).toEqual([true, true]);
    await sh(`mkdir bin && go build -o bin ${all.map((name) => `./cmd/${name}`).join(' ')}`, folder);
    await sh(
      all
        .slice(0, -1)
        .map((name) => `bin/${name}`)
        .join('\n'),
      folder,
      mock,
    );
    await expectEvents(`bin/${all.at(-1)}`, folder, mock);
  });

  const OTHERS = oneIn(3, [
    ['depot', 31],
    ['clinic', 42],
    ['conservatory', 50],
  ] as const);

  test.each(OTHERS)('of %s meet them, too', async (name, least) => {
    const [, requests] = await sampled(`test/fixtures/${name}`, 'http://127.0.0.1:3000');
    expect(requests.length).toBeGreaterThanOrEqual(least);
  });
});
