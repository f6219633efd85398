import { basename, dirname, join, resolve } from 'node:path';
import { entryOf, hasContract } from '../compiler/read/index.ts';
import { CommandFailure } from './command-failure.ts';
import { OWN_CONTRACTS, OWN_OUT } from './start-options.ts';

/**
 * Throws `CommandFailure` for an output folder of another contract: `generated/` belongs to the contract of `contracts/` beside it, or
 * of the folder around it.
 */
export async function refuseOthersOutput(contracts: string, out: string): Promise<void> {
  if (basename(resolve(out)) !== OWN_OUT) return;
  const project = dirname(resolve(out));
  const own = await pathOf(contracts);
  for (const owner of [join(project, OWN_CONTRACTS), project]) {
    if (!(await hasContract(owner))) continue;
    if ((await pathOf(owner)) === own) return;
    const other = join((await entryOf(contracts)).folder, OWN_OUT);
    throw new CommandFailure(
      `${out} is the output of the contract in ${owner}, not of ${contracts}. Name a folder for the output of ${contracts}, such as --out ${other}`,
      2,
    );
  }
}

async function pathOf(contracts: string): Promise<string> {
  const { folder, entry } = await entryOf(contracts);
  return resolve(folder, entry);
}
