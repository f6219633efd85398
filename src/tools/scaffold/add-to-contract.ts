import { compileContract } from '../../compiler/compile-contract.ts';
import { libraryFor } from '../../compiler/emit/library.ts';
import { writeOutput } from '../../compiler/emit/output-folder.ts';
import { formatFindings } from '../../compiler/findings/report.ts';
import type { Field } from './field.ts';
import { addResource } from './new-resource.ts';
import { nounOf } from './noun.ts';

export interface NewResourceOptions {
  /** Path of the resource: a plural in kebab-case. */
  readonly collection: string;
  readonly fields: readonly Field[];
  /** Undefined: by the rules of English. */
  readonly singular?: string | undefined;
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder of what is generated from it. */
  readonly out: string;
}

/** Adds a resource to a contract and generates. Resolves with the exit code: 1 when the contract would have errors. */
export async function addToContract(options: NewResourceOptions): Promise<number> {
  const { collection, fields, singular, contracts, out } = options;
  const outcome = await addResource(contracts, nounOf(collection, singular), fields);
  if (outcome.kind === 'refused') {
    console.error(`${formatFindings(outcome.findings, { colour: process.stderr.isTTY })}\n\nNothing was written.`);
    return 1;
  }
  const { files } = await compileContract(contracts, libraryFor(out));
  if (files) await writeOutput(out, files);
  console.log(whatNext(collection, outcome.files, out));
  return 0;
}

const whatNext = (collection: string, files: readonly string[], out: string): string =>
  `Wrote these files, and generated ${out}/ again:
${files.map((file) => `  ${file}`).join('\n')}

Both protocols serve /${collection} without any code. Next:
  npm run dev            serves it, and follows what you change in these files: descriptions, bounds, filters, scopes
  npm run contract       lint, conventions, parity, breaking changes
  npm run migrate        makes its table, where the server does not at boot`;
