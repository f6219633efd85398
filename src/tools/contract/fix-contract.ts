import { join } from 'node:path';
import { buildModel } from '../../compiler/build-model.ts';
import type { Fix } from '../../compiler/findings/fix.ts';
import { ContractFiles } from '../sync/contract-files.ts';

/** Fixes may make others possible, each of which takes a round. */
const MAX_ROUNDS = 10;

/**
 * Writes the edits that findings come with into the files of a contract, until no finding has one. Says on stderr what was written:
 * the output of the command may be read by a program.
 */
export async function fixContract(contracts: string): Promise<void> {
  const files = await ContractFiles.open(contracts);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { findings } = buildModel(await files.source());
    const fixes = findings.flatMap(({ fix }) => fix ?? []);
    if (fixes.length === 0) break;
    await files.fix(unique(fixes));
  }
  const paths = files.changes.map(({ path }) => `  ${join(files.folder, path)}`);
  await files.save();
  console.error(paths.length === 0 ? 'No finding comes with an edit.' : `Fixed:\n${paths.join('\n')}`);
}

/** Two findings may ask for the same edit. */
const unique = (fixes: readonly Fix[]): readonly Fix[] => [
  ...new Map(fixes.map((fix) => [JSON.stringify(fix), fix])).values(),
];
