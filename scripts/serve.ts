import { explainBootFault } from '../src/boot-fault.ts';
import { serveContract } from './serve-contract.ts';
import { readOptions, UsageError } from './start-options.ts';

try {
  console.log(await serveContract(readOptions(process.argv.slice(2))));
} catch (error) {
  console.error(error instanceof UsageError ? error.message : (explainBootFault(error) ?? error));
  process.exit(1);
}
