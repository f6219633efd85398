import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeText } from '../../src/clients/common/layer.ts';
import { javaSamples } from '../../src/clients/samples.ts';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import { type SampleRequest, sampleRequests } from '../../src/compiler/emit/sample-requests.ts';
import { hasToolchain } from '../support/toolchains.ts';
import { ALL_IN_JAVA, expectEvents, guideSamples, makeClient, quickStart, sh, startMock } from './support.ts';

const CHECKS = '-encoding UTF-8 -Xlint:all,-deprecation -XDsuppressNotes -Werror';
const SOURCES = 'samples/*.java samples/*/*.java';

/**
 * Writes the samples of a contract and those of its guides into its client, each in a package of its own; those that there are, and
 * how many are of guides.
 */
async function writeSamples(
  folder: string,
  contracts: string,
  origin: string,
): Promise<readonly [requests: SampleRequest[], guides: number]> {
  const { model } = await modelContract(contracts);
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
  return [requests, guides.length];
}

describe.runIf(hasToolchain('java'))('samples in Java', () => {
  let storefront: string;

  beforeAll(async () => {
    storefront = await makeClient('java', 'contracts');
    await sh((await quickStart(storefront)).install, storefront);
  });

  test('of the storefront meet the checks of javac, and those that read and those of guides run on the mock', async () => {
    const mock = await startMock();
    const [requests, guides] = await writeSamples(storefront, 'contracts', mock.origin);
    expect(requests).toHaveLength(31);
    expect(guides).toBeGreaterThan(8);
    const classes = 'target/classes:target/dependency/*';
    expect(await sh(`javac ${CHECKS} -cp '${classes}' -d target/samples ${SOURCES}`, storefront)).toBe('');
    const reads = requests.flatMap(({ method }, index) => (method === 'GET' ? [`s${index}`] : []));
    const all = [...reads, ...Array.from({ length: guides }, (_, index) => `guide${index}`)];
    const run = (names: readonly string[]) => `java -cp 'target/samples:${classes}' All ${names.join(' ')}`;
    await sh(run(all.slice(0, -1)), storefront, mock);
    await expectEvents(run(all.slice(-1)), storefront, mock);
  });

  test.each([
    ['conservatory', 50],
    ['depot', 20],
  ])('of %s meet them, too', async (name, least) => {
    const contracts = `test/fixtures/${name}`;
    const folder = await makeClient('java', contracts);
    const [requests] = await writeSamples(folder, contracts, 'http://127.0.0.1:3000');
    expect(requests.length).toBeGreaterThanOrEqual(least);
    // Without Maven, which takes as long again: every client depends on the same.
    const dependencies = join(storefront, 'target/dependency/*');
    const client = `javac -encoding UTF-8 -nowarn -proc:none -cp '${dependencies}' -d classes $(find src -name "*.java")`;
    await sh(client, folder);
    expect(await sh(`javac ${CHECKS} -cp 'classes:${dependencies}' -d out ${SOURCES}`, folder)).toBe('');
  });
});
