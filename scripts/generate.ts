import { parseArgs } from 'node:util';
import { compileContract } from '../src/compiler/compile-contract.ts';
import { libraryFor } from '../src/compiler/emit/library.ts';
import { operationTable } from '../src/compiler/emit/operation-table.ts';
import { type Drift, driftOf, writeOutput } from '../src/compiler/emit/output-folder.ts';
import { formatFindings, MAX_WARNINGS } from '../src/compiler/findings/report.ts';
import { ConfigError } from '../src/descriptor/config-error.ts';
import { helpIfAsked } from '../src/tools/command/usage.ts';

const USAGE = `Usage: npm run generate -- [--contracts DIR] [--out DIR] [--check] [--all]

  --contracts DIR  folder with openapi.yaml (default: contracts)
  --out DIR        folder to write (default: generated)
  --check          write nothing; exit 1 naming each file that is not up to date
  --all            tell every warning, not the first ${MAX_WARNINGS} only`;

helpIfAsked(USAGE);

interface Options {
  readonly contracts: string;
  readonly out: string;
  readonly check: boolean;
  readonly all: boolean;
}

function readOptions(): Options {
  const options = {
    contracts: { type: 'string', default: 'contracts' },
    out: { type: 'string', default: 'generated' },
    check: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(1);
  }
}

function describe({ stale, missing, extra }: Drift): string[] {
  return [
    ...stale.map((path) => `stale    ${path}`),
    ...missing.map((path) => `missing  ${path}`),
    ...extra.map((path) => `extra    ${path}`),
  ];
}

async function main({ contracts, out, check, all }: Options): Promise<number> {
  const { findings, model, files } = await compileContract(contracts, libraryFor(out));
  if (findings.length > 0)
    console.error(
      formatFindings(findings, { colour: process.stderr.isTTY, maxWarnings: all ? undefined : MAX_WARNINGS }),
    );
  if (!model || !files) return 1;
  if (!check) console.log(`${operationTable(model)}\n`);
  const changed = describe(check ? await driftOf(out, files) : await writeOutput(out, files));
  if (changed.length === 0) console.log(`${out}/ is up to date with ${contracts}/.`);
  else if (check) console.error(`${out}/ is not up to date; run \`npm run generate\`:\n  ${changed.join('\n  ')}`);
  else console.log(`Wrote ${out}/: ${changed.length} of ${files.size} files changed.`);
  return check && changed.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await main(readOptions());
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
