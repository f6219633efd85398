import { once } from 'node:events';
import { enableCompileCache } from 'node:module';
import type { StartMessage } from './child-server.ts';

// The child process of `npm run dev`. It receives the compiled contract with the options of `npm start`, and replies with the banner when it is served.
enableCompileCache();
const { explainFailure } = await import('../../tools/explain-failure.ts');
const { serveContract } = await import('../serve/serve-contract.ts');
const { createFailureReport } = await import('./failure-report.ts');

process.once('disconnect', () => process.exit());
try {
  const [{ options, contract }] = (await once(process, 'message')) as [StartMessage];
  const banner = await serveContract(options, { contract, reportFailure: createFailureReport(options.handlers) });
  process.send!(banner ?? '');
} catch (error) {
  console.error(explainFailure(error));
  process.exit(1);
}
