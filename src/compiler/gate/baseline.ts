import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Compiled } from '../compile-contract.ts';
import type { Finding } from '../findings/finding.ts';
import { RELEASED } from '../sdl/read-sdl.ts';
import type { Comparison } from './changes/compare.ts';
import type { Edition } from './changes/edition.ts';
import { readReleases } from './changes/releases.ts';
import { outcomeOf, recordedFiles } from './release.ts';

/** What a branch started from, read out of its history. */
export interface Base {
  /** What a message calls it: `the merge base 8744765`. */
  readonly name: string;
  /** The contract there, if it has one. */
  readonly contracts?: string;
}

/** What a release of the branch is made of; `comparison` is that with the releases of the base. */
interface Branch {
  readonly edition: Edition;
  readonly comparison: Comparison;
  readonly compiled: () => Promise<Compiled>;
  /** Today in UTC. */
  readonly date: string;
}

/**
 * Each file of `released/` that a branch has added, edited or removed, unless they are together what `npm run release` writes for its
 * contract. `branch` is undefined where that has errors.
 */
export async function baselineFindings(
  contracts: string,
  { name, contracts: base }: Required<Base>,
  branch: Branch | undefined,
): Promise<readonly Finding[]> {
  const [now, before] = [filesIn(contracts), filesIn(base)];
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter((path) => now.get(path) !== before.get(path));
  if (changed.length === 0 || (branch && isDeepStrictEqual(now, await afterRelease(before, now, base, branch))))
    return [];
  return changed.sort().map((path) => {
    const what = !now.has(path) ? 'has been removed' : before.has(path) ? 'has been edited' : 'has been added';
    return {
      rule: 'baseline-changed',
      severity: 'error',
      message: `\`${RELEASED}/${path}\` ${what} since ${name}, and not by \`npm run release\` for this contract.`,
      hint: `Put \`${RELEASED}/\`as it is there: the contract is compared with that release. To release the change, run \`npm run release\`.`,
      location: { file: `${RELEASED}/${path}`, line: 1, column: 1, pointer: '' },
    };
  });
}

/** The files after a release on the day that the branch has recorded; undefined where nothing could be released. */
async function afterRelease(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
  base: string,
  { edition, comparison, compiled, date }: Branch,
): Promise<ReadonlyMap<string, string> | undefined> {
  const day = /"date": "(\d{4}-\d\d-\d\d)"/.exec(now.get('releases.json') ?? '')?.[1];
  if (day === undefined || day > date) return undefined;
  const outcome = outcomeOf(comparison, edition, day);
  const output = await compiled();
  if (outcome.kind !== 'released' || !output.files || outcome.release.version !== edition.model.document.info.version)
    return undefined;
  const kept = [...before].filter(([path]) => !path.startsWith(`${outcome.release.apiVersion}/`));
  return new Map([...kept, ...recordedFiles(outcome.release, output, readReleases(base))]);
}

function filesIn(contracts: string): ReadonlyMap<string, string> {
  const folder = join(contracts, RELEASED);
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]));
}
