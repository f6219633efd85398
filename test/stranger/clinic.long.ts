import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ContractFiles } from '../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../src/authoring/sync-contract.ts';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import { prove } from '../../src/proving/proof/prove.ts';
import { formatDifference } from '../../src/proving/proof/record.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';

/** Lines that a person may have to write for the GraphQL side of seven resources. */
const MAX_LINES = 40;

/** What the author asks for beyond what the document implies: connections in the opposite direction of references. */
const WANTED = ['Patient.appointments', 'Patient.prescriptions', 'Patient.invoices', 'Doctor.appointments'];

type Values = Readonly<Record<string, string | undefined>>;

/** The two custom operations, over both protocols. */
const handlers = {
  operations: {
    getWorkload: async () => ({ open: 1, done: 0 }),
    remindPatient: async ({ input: { channel, words } }: { input: Values }) => ({
      channel,
      words: words ?? 'See you soon.',
    }),
  },
} as unknown as AnyHandlers;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-clinic-'));
  await cp('test/fixtures/clinic/openapi.yaml', join(folder, 'openapi.yaml'));
});
afterAll(() => rm(folder, { recursive: true }));

async function sync() {
  const files = await ContractFiles.open(folder);
  const outcome = await synchronise(files, { contracts: folder, connections: WANTED });
  await files.save();
  return outcome;
}

it('seven resources get their GraphQL side from the document, but for few lines', async () => {
  const outcome = await sync();
  if (outcome.kind !== 'synced') throw new Error(JSON.stringify(outcome.findings));
  const lines = (await readFile(join(folder, 'schema.graphql'), 'utf8')).split('\n').length;
  // Each finding is a line that is left to write, and each connection that is wanted one of the command line.
  const byHand = outcome.findings.length + WANTED.length;
  console.log(`The GraphQL side of seven resources: ${lines} lines, ${byHand} of them asked for by hand.`);
  expect(byHand).toBeLessThan(MAX_LINES);
  const { model, findings, parity } = await modelContract(folder);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(parity.filter(({ verdict }) => verdict === 'different')).toEqual([]);
  expect(model!.resources).toHaveLength(7);
});

it('both protocols answer the same then', async () => {
  const { model } = await modelContract(folder);
  const record = await prove({ contract: model!, handlers, samples: 4 });
  expect(record.differences.map(formatDifference).join('\n\n')).toBe('');
  expect([...record.notCovered]).toEqual([]);
});
