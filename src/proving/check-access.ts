import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judged, notRun, type Result } from '../compiler/gate/index.ts';
import type { ContractModel } from '../compiler/model/index.ts';
import { entryOf } from '../compiler/read/index.ts';
import { ACCESS_FILE } from '../tools/access-file.ts';

/** Runs the tests of access that a contract has in its folder. `contracts`: the folder, or the file of the contract. */
export async function checkAccess(contracts: string, model: ContractModel): Promise<Result> {
  const { folder } = await entryOf(contracts);
  const text = await readFile(join(folder, ACCESS_FILE), 'utf8').catch(absent);
  if (text === undefined) return notRun(`there is no ${ACCESS_FILE}`);
  // What it takes to serve a contract is loaded only where there is something to test.
  const { readSuite } = await import('./access-tests/read-suite.ts');
  const { suite, findings } = readSuite(text, model);
  if (!suite) return { status: 'failed', summary: `${ACCESS_FILE} has faults`, findings };
  const { runBeside } = await import('./access-tests/run-beside.ts');
  const { findings: failed, checks, protocols } = await runBeside(model, suite);
  const summary = `${suite.tests.length} tests of ${ACCESS_FILE}, ${checks} requests over ${new Intl.ListFormat('en-GB').format(protocols)}`;
  return judged(failed, summary);
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
