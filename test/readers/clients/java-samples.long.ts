import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { type SampleRequest, sampleRequests } from '../../../src/compiler/emit/sample-requests.ts';
import { writeText } from '../../../src/readers/clients/common/layer.ts';
import { javaSamples } from '../../../src/readers/clients/samples.ts';
import { oneIn } from '../../support/thorough.ts';
import { hasToolchain } from '../../support/toolchains.ts';
import { ALL_IN_JAVA, expectEvents, guideSamples, JAVAC, makeClient, quickStart, sh, startMock } from './support.ts';

const CLASSES = 'target/classes:target/dependency/*';

/**
 * The samples of a contract in its client and those of its guides, each in a package of its own, all of them compiled; those that
 * there are, and how many are of guides.
 */
async function sampled(
  folder: string,
  contracts: string,
  origin: string,
  classes = CLASSES,
): Promise<readonly [requests: SampleRequest[], guides: number]> {
  const { model } = await modelContract(contracts);
  const samples = javaSamples(model!, `${origin}/v1`);
  const requests = sampleRequests(model!).filter((request) => samples(request) !== undefined);
  const guides = await guideSamples('Java', model!, `${origin}/v1`);
  const all = [
    ...requests.map((request, index) => [`s${index}`, samples(request)] as const),
    ...guides.map((source, index) => [`guide${index}`, source] as const),
  ];
  for (const [name, source] of all)
    await writeText(join(folder, `samples/${name}/Example.java`), `package ${name};\n${source}`);
  await writeText(join(folder, 'samples/All.java'), ALL_IN_JAVA);
  const written = `${JAVAC} -Xlint:all,-deprecation -XDsuppressNotes -Werror -cp '${classes}' -d target/samples samples/*.java samples/*/*.java`;
  expect(await sh(written, folder)).toBe('');
  return [requests, guides.length];
}

describe.runIf(hasToolchain('java'))('samples in Java', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await makeClient('java', 'contracts');
    await sh((await quickStart(folder)).install, folder);
  });

  test('of the storefront meet the checks of javac, and those that read and those of guides run on the mock', async () => {
    const mock = await startMock();
    const [requests, guides] = await sampled(folder, 'contracts', mock.origin);
    expect(requests).toHaveLength(33);
    expect(guides).toBeGreaterThan(8);
    const reads = requests.flatMap(({ method }, index) => (method === 'GET' ? [`s${index}`] : []));
    const all = [...reads, ...Array.from({ length: guides }, (_, index) => `guide${index}`)];
    const run = (names: readonly string[]) => `java -cp 'target/samples:${CLASSES}' All ${names.join(' ')}`;
    await sh(run(all.slice(0, -1)), folder, mock);
    await expectEvents(run(all.slice(-1)), folder, mock);
  });

  const OTHERS = oneIn(2, [
    ['depot', 20],
    ['conservatory', 50],
  ] as const);

  test.each(OTHERS)('of %s meet them, too', async (name, least) => {
    const contracts = `test/fixtures/${name}`;
    const client = await makeClient('java', contracts);
    // Without Maven, which takes as long again: all clients depend on the same.
    const dependencies = join(folder, 'target/dependency/*');
    const sources = "$(find src -name '*.java')";
    await sh(`${JAVAC} -nowarn -proc:none -cp '${dependencies}' -d target/classes ${sources}`, client);
    const [requests] = await sampled(client, contracts, 'http://127.0.0.1:3000', `target/classes:${dependencies}`);
    expect(requests.length).toBeGreaterThanOrEqual(least);
  });
});
