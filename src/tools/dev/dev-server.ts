import { once } from 'node:events';
import { enableCompileCache } from 'node:module';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';

// The child process of `npm run dev`. It receives the compiled contract and replies with the banner when it is served.
enableCompileCache();
const { explainFailure } = await import('../command/explain-failure.ts');
const { serveContract } = await import('../start/serve-contract.ts');
const { readOptions } = await import('../command/start-options.ts');

process.once('disconnect', () => process.exit());
try {
  const [compiled] = (await once(process, 'message')) as [CompiledContract];
  process.send!(await serveContract(readOptions(process.argv.slice(2)), compiled));
} catch (error) {
  console.error(explainFailure(error));
  process.exit(1);
}
