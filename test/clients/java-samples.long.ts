import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeText } from '../../src/clients/common/layer.ts';
import { javaSamples } from '../../src/clients/samples.ts';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import { type SampleRequest, sampleRequests } from '../../src/compiler/emit/sample-requests.ts';
import { sampleOf } from '../../src/tools/docs/samples/sample.ts';
import { hasToolchain } from '../support/toolchains.ts';
import { makeClient, quickStart, sh, startSurroundings } from './support.ts';

const CLASSES = 'target/classes:target/dependency/*';

/** The samples of a contract in its client, each in a package of its own, all of them compiled; those that there are. */
async function sampled(contracts: string, base: string): Promise<readonly [folder: string, SampleRequest[]]> {
  const [folder, { model }] = await Promise.all([makeClient('java', contracts), modelContract(contracts)]);
  const samples = javaSamples(model!, base);
  const requests = sampleRequests(model!).filter((request) => samples(request) !== undefined);
  for (const [index, request] of requests.entries())
    await writeText(join(folder, `samples/s${index}/Example.java`), `package s${index};\n${samples(request)}`);
  const { install } = await quickStart(folder);
  await sh(install, folder);
  const written = `javac -encoding UTF-8 -Xlint:all,-deprecation -XDsuppressNotes -Werror -cp '${CLASSES}' -d target/samples samples/*/*.java`;
  expect(await sh(written, folder)).toBe('');
  return [folder, requests];
}

describe.runIf(hasToolchain('java'))('samples in Java', () => {
  test('of the storefront meet the checks of javac, and those that read run', async () => {
    const { API_URL, STAFF_TOKEN } = await startSurroundings();
    const [folder, requests] = await sampled('contracts', API_URL);
    expect(requests).toHaveLength(31);
    const statuses: number[] = [];
    for (const [index, request] of requests.entries()) {
      if (request.method !== 'GET') continue;
      const headers = { Authorization: `Bearer ${STAFF_TOKEN}` };
      const { status } = await fetch(sampleOf(request, API_URL).url, { headers });
      const run = sh(`java -cp 'target/samples:${CLASSES}' s${index}.Example`, folder, { TOKEN: STAFF_TOKEN });
      if (status === 200) await run;
      else await expect(run).rejects.toThrow(/\b404 NOT_FOUND/);
      statuses.push(status);
    }
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(2);
  });

  test.each([
    ['conservatory', 50],
    ['depot', 20],
  ])('of %s meet them, too', async (name, least) => {
    const [, requests] = await sampled(`test/fixtures/${name}`, 'http://127.0.0.1:3000');
    expect(requests.length).toBeGreaterThanOrEqual(least);
  });
});
