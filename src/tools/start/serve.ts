import { explainFailure } from '../command/explain-failure.ts';
import { readOptions, USAGE } from '../command/start-options.ts';
import { helpIfAsked } from '../command/usage.ts';
import { serveContract } from './serve-contract.ts';

helpIfAsked(USAGE);

try {
  console.log(await serveContract(readOptions(process.argv.slice(2))));
} catch (error) {
  console.error(explainFailure(error));
  process.exit(1);
}
