import { modelContract } from '../compiler/compile-contract.ts';
import { formatFindings, isError } from '../compiler/findings/index.ts';
import { keptFiles } from '../tools/kept-files.ts';
import { replacedIn } from '../tools/replaced-entries.ts';
import { formatParity } from './contract/format-parity.ts';

export interface ParityOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Prints every fact, not only the differences. */
  readonly all?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Prints REST beside GraphQL. Resolves with the exit code: 1 when something differs or the contract cannot be read. */
export async function printParity({ contracts, all, json }: ParityOptions): Promise<number> {
  const { findings, parity, candidate } = await modelContract(contracts, keptFiles());
  const errors = findings.filter(isError);
  if (json) console.log(JSON.stringify(parity, undefined, 2));
  else if (parity.length > 0) console.log(formatParity(parity, { all, colour: process.stdout.isTTY }));
  else if (errors.length === 0) console.log(`${contracts} has only REST: nothing to compare.`);
  if (!json)
    for (const { protocol, name, place } of await replacedIn(contracts, candidate))
      console.log(`Replaced by hand, over ${protocol} alone: ${name} (${place})`);
  if (errors.length > 0) console.error(formatFindings(errors, { colour: process.stderr.isTTY }));
  return errors.length > 0 ? 1 : 0;
}
