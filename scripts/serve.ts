import { once } from 'node:events';
import { explainBootFault } from '../src/boot-fault.ts';
import type { CompiledContract } from '../src/compiled-contract.ts';
import { serveContract } from './serve-contract.ts';
import { readOptions, UsageError } from './start-options.ts';

/** Started by `npm run dev`, which has compiled the contract and says what is new itself. */
const parent = process.send?.bind(process);

try {
  const options = readOptions(process.argv.slice(2));
  // It ends with whom it was started by.
  if (parent) process.once('disconnect', () => process.exit());
  const [compiled] = parent ? ((await once(process, 'message')) as [CompiledContract]) : [];
  const told = await serveContract(options, compiled);
  if (parent) parent(told);
  else console.log(told);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : (explainBootFault(error) ?? error));
  process.exit(1);
}
