import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { modelContract } from '../src/compiler/compile-contract.ts';
import { replaceFile } from '../src/compiler/emit/output-folder.ts';
import { formatFindings } from '../src/compiler/findings/report.ts';
import { explainFailure } from '../src/tools/command/explain-failure.ts';
import { helpIfAsked } from '../src/tools/command/usage.ts';
import { buildSite } from '../src/tools/docs/build-site.ts';

const USAGE = `Usage: npm run docs -- [--contracts DIR] [--out DIR] [--url URL]

Makes the documentation of a contract: a folder for any web server, and for DOCS_DIR of ours.

  --contracts DIR  the contract (default: contracts)
  --out DIR        folder to write (default: dist/docs)
  --url URL        where the API is reached, without its path (default: as the contract says)`;

helpIfAsked(USAGE);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      contracts: { type: 'string', default: 'contracts' },
      out: { type: 'string', default: 'dist/docs' },
      url: { type: 'string' },
    },
  });
  const { model, parity, findings } = await modelContract(values.contracts);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (!model) {
    console.error(formatFindings(errors, { colour: process.stderr.isTTY }));
    return 1;
  }
  const origin = values.url?.replace(/\/+$/, '');
  const files = await buildSite({ model, parity, contracts: values.contracts, origin });
  for (const [path, text] of files) await replaceFile(join(values.out, path), text);
  console.log(`Wrote ${values.out}/: ${files.size} files; open ${values.out}/index.html.`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(explainFailure(error, USAGE));
  process.exitCode = 1;
}
