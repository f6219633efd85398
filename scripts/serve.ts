import { explainFailure } from './explain-failure.ts';
import { serveContract } from './serve-contract.ts';
import { readOptions, USAGE } from './start-options.ts';
import { helpIfAsked } from './usage.ts';

helpIfAsked(USAGE);

try {
  console.log(await serveContract(readOptions(process.argv.slice(2))));
} catch (error) {
  console.error(explainFailure(error));
  process.exit(1);
}
