import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ContractModel } from '../../compiler/model/index.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { SuiteResult } from './run-suite.ts';
import type { AccessSuite } from './suite.ts';

/** The thread's file, as source or as built. */
const THREAD = new URL(`./suite-thread${extname(import.meta.url)}`, import.meta.url);

/** What the thread is started with. The tests of the suite are about the resources of the contract, themselves. */
export interface SuiteData {
  readonly contract: CompiledContract;
  readonly suite: AccessSuite;
}

/** Runs the tests of a suite as `runSuite` does, in a thread: whatever else is to be checked does not wait. */
export async function runBeside(model: ContractModel, suite: AccessSuite): Promise<SuiteResult> {
  const { operations: _, ...contract } = model;
  const worker = new Worker(THREAD, { workerData: { contract, suite } satisfies SuiteData });
  const ended = once(worker, 'exit').then(() => {
    throw new Error('The tests of access have ended without a result.');
  });
  try {
    const [result] = await Promise.race([once(worker, 'message'), ended]);
    return result;
  } finally {
    ended.catch(() => undefined);
    await worker.terminate();
  }
}
