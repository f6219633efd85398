import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { SuiteData } from './run-beside.ts';

// The thread that serves a contract and runs a suite on it. It replies with the result.
enableCompileCache();
const { runSuite } = await import('./run-suite.ts');

const { contract, suite }: SuiteData = workerData;
parentPort?.postMessage(await runSuite(contract, suite));
