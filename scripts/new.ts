import { parseArgs } from 'node:util';
import { compileContract } from '../src/compiler/compile-contract.ts';
import { libraryFor } from '../src/compiler/emit/library.ts';
import { writeOutput } from '../src/compiler/emit/output-folder.ts';
import { formatFindings } from '../src/compiler/findings/report.ts';
import { explainFailure } from '../src/tools/command/explain-failure.ts';
import { UsageError } from '../src/tools/command/start-options.ts';
import { helpIfAsked } from '../src/tools/command/usage.ts';
import { readField } from '../src/tools/scaffold/field.ts';
import { addResource } from '../src/tools/scaffold/new-resource.ts';
import { nounOf } from '../src/tools/scaffold/noun.ts';

const USAGE = `Usage: npm run new -- resource COLLECTION FIELD… [--singular NAME] [--contracts DIR] [--out DIR]

Adds a resource with its six actions to both sides of a contract, checks that they agree, and generates.

  COLLECTION        its path: a plural in kebab-case, like books or line-items
  FIELD             name:type, with ! if it is required: title:string! pages:integer author:ref(authors)
                    status:enum(DRAFT,PUBLISHED)! isbn:string!:unique:immutable
                    types: string text integer int64 number decimal boolean date date-time uuid email uri
  --singular NAME   what one of them is called, where English does not say
  --contracts DIR   the contract (default: contracts)
  --out DIR         what is generated (default: generated)

Quote what a shell takes for its own: 'status:enum(DRAFT,PUBLISHED)!'`;

helpIfAsked(USAGE);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      singular: { type: 'string' },
      contracts: { type: 'string', default: 'contracts' },
      out: { type: 'string', default: 'generated' },
    },
  });
  const [what, collection, ...words] = positionals;
  if (what !== 'resource' || collection === undefined || words.length === 0) throw new UsageError(USAGE);
  const fields = words.map(readField);
  const twice = fields.find(({ name }, i) => fields.findIndex((one) => one.name === name) !== i);
  if (twice) throw new UsageError(`${twice.name} stands there twice.`);
  const outcome = await addResource(values.contracts, nounOf(collection, values.singular), fields);
  if (outcome.kind === 'refused') {
    console.error(`${formatFindings(outcome.findings, { colour: process.stderr.isTTY })}\n\nNothing was written.`);
    return 1;
  }
  const { files } = await compileContract(values.contracts, libraryFor(values.out));
  if (files) await writeOutput(values.out, files);
  console.log(whatNext(collection, outcome.files, values.out));
  return 0;
}

function whatNext(collection: string, files: readonly string[], out: string): string {
  return `Wrote, and generated ${out}/ anew:
${files.map((file) => `  ${file}`).join('\n')}

Both protocols serve /${collection} without any code. Next:
  npm run dev            serves it, and follows what you change in these files: descriptions, bounds, filters, scopes
  npm run contract       lint, conventions, parity, breaking changes
  npm run migrate        makes its table, where the server does not at boot`;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(explainFailure(error, USAGE));
  process.exitCode = 1;
}
