import { compileContract } from '../../compiler/compile-contract.ts';
import { libraryFor } from '../../compiler/emit/library.ts';
import { writeOutput } from '../../compiler/emit/output-folder.ts';
import { formatFindings } from '../../compiler/findings/report.ts';
import type { ContractModel } from '../../compiler/model/model.ts';
import { type Addition, addTo } from './addition.ts';

export interface AddOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder of what is generated from it. */
  readonly out: string;
  /** What to do next, below the names of the files. */
  readonly next: (model: ContractModel) => string;
}

/** Adds to a contract and generates. Resolves with the exit code: 1 when the contract would have errors. */
export async function addToContract(addition: Addition, { contracts, out, next }: AddOptions): Promise<number> {
  const outcome = await addTo(contracts, addition, out);
  if (outcome.kind === 'refused') {
    console.error(`${formatFindings(outcome.findings, { colour: process.stderr.isTTY })}\n\nNothing was written.`);
    return 1;
  }
  const { files, model } = await compileContract(contracts, libraryFor(out));
  if (files) await writeOutput(out, files);
  const names = outcome.files.map((file) => `  ${file}`).join('\n');
  console.log(`Wrote these files, and generated ${out}/ again:\n${names}${model ? `\n\n${next(model)}` : ''}`);
  return 0;
}
