import { parseArgs } from 'node:util';
import { formatFindings } from '../src/compiler/findings/report.ts';
import { type ReleaseOutcome, releaseContract } from '../src/compiler/gate/release.ts';
import { explainFailure } from '../src/tools/command/explain-failure.ts';

const USAGE = `Usage: npm run release -- [--contracts DIR] [--out DIR] [--dry-run]

Records the contract as released, under the version that its changes ask for: DIR/released/ holds both documents of each
API version, and what changed when. From then on, a change that breaks callers is an error.

  --contracts DIR   the contract (default: contracts)
  --out DIR         what is generated from it (default: generated)
  --dry-run         tell the version and the changes, write nothing`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      contracts: { type: 'string', default: 'contracts' },
      out: { type: 'string', default: 'generated' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const { contracts, out, 'dry-run': isDryRun } = values;
  const date = new Date().toISOString().slice(0, 10);
  return tell(await releaseContract({ contracts, out, date, isDryRun }), isDryRun);
}

function tell(outcome: ReleaseOutcome, isDryRun: boolean): number {
  switch (outcome.kind) {
    case 'refused':
      console.error(formatFindings(outcome.findings, { colour: process.stderr.isTTY }));
      return 1;
    case 'unchanged':
      console.log(`Nothing has changed since ${outcome.since.version}.`);
      return 0;
    case 'released': {
      const { version, apiVersion, changes } = outcome.release;
      for (const { impact, area, message } of changes)
        console.log(`${impact.padEnd(5)}  ${area.padEnd(7)}  ${message}`);
      console.log(
        `${changes.length > 0 ? '\n' : ''}${isDryRun ? 'Would release' : 'Released'} ${version} of ${apiVersion}.`,
      );
      return 0;
    }
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(explainFailure(error, USAGE));
  process.exitCode = 1;
}
