import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeText } from '../../src/clients/common/layer.ts';
import { javaSamples } from '../../src/clients/samples.ts';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import { type SampleRequest, sampleRequests } from '../../src/compiler/emit/sample-requests.ts';
import { hasToolchain } from '../support/toolchains.ts';
import { ALL_IN_JAVA, expectEvents, guideSamples, makeClient, quickStart, sh, startMock } from './support.ts';

const CLASSES = 'target/classes:target/dependency/*';

/**
 * The samples of a contract in its client and those of its guides, each in a package of its own, all of them compiled; those that
 * there are, and how many are of guides.
 */
async function sampled(
  contracts: string,
  origin: string,
): Promise<readonly [folder: string, requests: SampleRequest[], guides: number]> {
  const [folder, { model }] = await Promise.all([makeClient('java', contracts), modelContract(contracts)]);
  const samples = javaSamples(model!, `${origin}/v1`);
  const requests = sampleRequests(model!).filter((request) => samples(request) !== undefined);
  const guides = await guideSamples('Java', contracts, origin);
  const all = [
    ...requests.map((request, index) => [`s${index}`, samples(request)] as const),
    ...guides.map((source, index) => [`guide${index}`, source] as const),
  ];
  for (const [name, source] of all)
    await writeText(join(folder, `samples/${name}/Example.java`), `package ${name};\n${source}`);
  await writeText(join(folder, 'samples/All.java'), ALL_IN_JAVA);
  const { install } = await quickStart(folder);
  await sh(install, folder);
  const written = `javac -encoding UTF-8 -Xlint:all,-deprecation -XDsuppressNotes -Werror -cp '${CLASSES}' -d target/samples samples/*.java samples/*/*.java`;
  expect(await sh(written, folder)).toBe('');
  return [folder, requests, guides.length];
}

describe.runIf(hasToolchain('java'))('samples in Java', () => {
  test('of the storefront meet the checks of javac, and those that read and those of guides run on the mock', async () => {
    const mock = await startMock();
    const [folder, requests, guides] = await sampled('contracts', mock.origin);
    expect(requests).toHaveLength(31);
    expect(guides).toBeGreaterThan(8);
    const reads = requests.flatMap(({ method }, index) => (method === 'GET' ? [`s${index}`] : []));
    const all = [...reads, ...Array.from({ length: guides }, (_, index) => `guide${index}`)];
    const run = (names: readonly string[]) => `java -cp 'target/samples:${CLASSES}' All ${names.join(' ')}`;
    await sh(run(all.slice(0, -1)), folder, mock);
    await expectEvents(run(all.slice(-1)), folder, mock);
  });

  test.each([
    ['conservatory', 50],
    ['depot', 20],
  ])('of %s meet them, too', async (name, least) => {
    const [, requests] = await sampled(`test/fixtures/${name}`, 'http://127.0.0.1:3000');
    expect(requests.length).toBeGreaterThanOrEqual(least);
  });
});
