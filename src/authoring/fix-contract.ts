import { join } from 'node:path';
import { buildModel } from '../compiler/build-model.ts';
import type { Finding } from '../compiler/findings/index.ts';
import { ContractFiles } from './sync/contract-files.ts';
import { type Removed, removedSince } from './sync/removed.ts';
import { synchronise } from './sync-contract.ts';

/** Fixes may make others possible, each of which takes a round. */
const MAX_ROUNDS = 10;

/**
 * Writes the edits that findings come with into the files of a contract, until no finding has one, and what GraphQL has alone into the
 * OpenAPI document, as `sync` does. What one half has lost since both agreed, when the folder `out` was generated, is not put back.
 * Says on stderr what was written: the output of the command may be read by a program.
 */
export async function fixContract(contracts: string, out?: string): Promise<void> {
  const files = await ContractFiles.open(contracts);
  const removed = out === undefined ? undefined : await removedSince(files, out);
  const findings = await makeFixes(files, removed);
  const paths = new Set(await saved(files));
  if (findings.some(({ rule }) => rule.startsWith('parity-'))) {
    const derived = await ContractFiles.open(contracts);
    const { kind } = await synchronise(derived, { contracts, out });
    if (kind === 'synced') for (const path of await saved(derived)) paths.add(path);
  }
  const kept = findings.filter((finding) => finding.fix && putsBack(finding, removed));
  if (paths.size > 0) console.error(`Fixed:\n${[...paths].sort().join('\n')}`);
  if (kept.length > 0) console.error(`Not put back:\n${kept.map(lostBefore).join('\n')}`);
  if (paths.size === 0 && kept.length === 0) console.error('No finding comes with an edit.');
}

/** Makes edits in memory. Resolves with the findings that are left. */
async function makeFixes(files: ContractFiles, removed: Removed | undefined): Promise<readonly Finding[]> {
  for (let round = 0; ; round++) {
    const { findings } = buildModel(await files.source());
    const fixes = findings.flatMap((finding) => (finding.fix && !putsBack(finding, removed) ? [finding.fix] : []));
    if (fixes.length === 0 || round === MAX_ROUNDS) return findings;
    // Two findings may ask for the same edit.
    await files.fix([...new Map(fixes.map((fix) => [JSON.stringify(fix), fix])).values()]);
  }
}

/** Whether an edit would add what one half has lost on purpose. */
const putsBack = ({ fix, also }: Finding, removed: Removed | undefined): boolean =>
  removed !== undefined &&
  fix?.text !== '' &&
  [removed.byDocument, removed.bySdl].some((lost) => lost.has(also?.pointer ?? ''));

const lostBefore = ({ also }: Finding): string =>
  `  ${also?.pointer}, which one half has lost since both were generated: remove it from the other, or add it again`;

async function saved(files: ContractFiles): Promise<readonly string[]> {
  const paths = files.changes.map(({ path }) => `  ${join(files.folder, path)}`);
  await files.save();
  return paths;
}
