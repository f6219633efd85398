import { compileContract } from '../compiler/compile-contract.ts';
import { type Drift, driftOf, libraryFor, writeOutput } from '../compiler/emit/folder/index.ts';
import { formatFindings, MAX_WARNINGS } from '../compiler/findings/index.ts';
import { keptFiles } from '../tools/kept-files.ts';
import { operationTable } from '../tools/operation-table.ts';
import { tenantCodeFindings } from './contract/tenant-code.ts';
import { totalsCodeFindings } from './contract/totals-code.ts';

export interface GenerateOptions {
  /** Folder with `openapi.yaml`. */
  readonly contracts: string;
  /** Folder to write. */
  readonly out: string;
  /** Compares instead of writing. */
  readonly check?: boolean | undefined;
  /** Prints every warning. */
  readonly all?: boolean | undefined;
}

/** Compiles a contract into a folder. Resolves with the exit code: 1 for errors, or files that `check` finds out of date. */
export async function generate({ contracts, out, check = false, all = false }: GenerateOptions): Promise<number> {
  const compiled = await compileContract(contracts, libraryFor(out), keptFiles());
  const { model, files } = compiled;
  const findings = [
    ...compiled.findings,
    ...(await tenantCodeFindings(contracts, out, files)),
    ...(await totalsCodeFindings(contracts, model)),
  ];
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

function describe({ stale, missing, extra }: Drift): string[] {
  return [
    ...stale.map((path) => `stale    ${path}`),
    ...missing.map((path) => `missing  ${path}`),
    ...extra.map((path) => `extra    ${path}`),
  ];
}
