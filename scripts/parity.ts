import { parseArgs } from 'node:util';
import { modelContract } from '../src/compiler/compile-contract.ts';
import { formatFindings } from '../src/compiler/findings/report.ts';
import { formatParity } from '../src/compiler/parity/format-parity.ts';

const USAGE = `npm run parity -- [--contracts DIR] [--all] [--json]

Prints what a contract says over REST beside what it says over GraphQL; fails on a difference.

  --contracts DIR   the contract; ./contracts if left out
  --all             every fact, not only those that differ
  --json            as JSON`;

const { values } = parseArgs({
  options: {
    contracts: { type: 'string', default: 'contracts' },
    all: { type: 'boolean' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

if (values.help) console.log(USAGE);
else process.exitCode = await print(values.contracts);

/** 1 when something differs, or the contract cannot be read. */
async function print(folder: string): Promise<number> {
  const { findings, parity } = await modelContract(folder);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (values.json) console.log(JSON.stringify(parity, undefined, 2));
  else if (parity.length > 0) console.log(formatParity(parity, { all: values.all, colour: process.stdout.isTTY }));
  else if (errors.length === 0) console.log(`${folder} is REST only: there is nothing to compare.`);
  if (errors.length > 0) console.error(formatFindings(errors, { colour: process.stderr.isTTY }));
  return errors.length > 0 ? 1 : 0;
}
