import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { type Protocol, protocolsOf, requestsOf } from '../harness/protocols.ts';
import type { Outcome, Step } from '../harness/step.ts';
import { AskedServer } from './asked-server.ts';
import type { MadeRows } from './make-rows.ts';
import type { AccessSuite, AccessTest } from './suite.ts';
import { TestSteps } from './test-steps.ts';

/** What one protocol answers to a caller of a test. */
export interface Answer {
  readonly protocol: Protocol;
  readonly step: Step;
  readonly outcome: Outcome;
}

/** A test for one of its callers, by name, with the answers of the protocols that have its action. */
export interface AskedTest {
  readonly test: AccessTest;
  readonly who: string;
  readonly answers: readonly Answer[];
}

/** Asks what the tests of a suite ask, over every protocol of the contract, without hand-written code. */
export async function askSuite(
  contract: CompiledContract,
  suite: AccessSuite,
  rows: MadeRows,
): Promise<readonly AskedTest[]> {
  const protocols = protocolsOf(requestsOf(contract));
  const steps = new TestSteps(contract, suite, rows);
  const server = await AskedServer.start(contract, rows.all());
  const asked: AskedTest[] = [];
  try {
    for (const test of suite.tests)
      for (const who of test.who) {
        const step = steps.step(test, who);
        const answers: Answer[] = [];
        for (const protocol of protocols) {
          const outcome = await server.outcome(protocol, step);
          if (outcome) answers.push({ protocol, step, outcome });
        }
        asked.push({ test, who, answers });
      }
  } finally {
    await server.close();
  }
  return asked;
}
