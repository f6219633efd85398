import type { Finding } from '../../compiler/findings/finding.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { type Protocol, protocolsOf } from '../harness/protocols.ts';
import type { Outcome, Step } from '../harness/step.ts';
import { AskedServer } from './asked-server.ts';
import { deviation, expectedWords } from './judge.ts';
import { MadeRows } from './make-rows.ts';
import type { AccessSuite, AccessTest } from './suite.ts';
import { TestSteps } from './test-steps.ts';

export interface SuiteResult {
  readonly findings: readonly Finding[];
  /** Requests that were judged, or would have been. */
  readonly checks: number;
  readonly protocols: readonly string[];
}

/** Runs the tests of a suite over every protocol of its contract, without hand-written code. */
export async function runSuite(contract: CompiledContract, suite: AccessSuite): Promise<SuiteResult> {
  const rows = new MadeRows(suite, contract);
  if (rows.findings.length > 0) return { findings: rows.findings, checks: 0, protocols: [] };
  const protocols = protocolsOf(contract);
  const asked = await AskedServer.start(contract, rows.all());
  const run = new SuiteRun(asked, protocols, new TestSteps(contract, suite, rows), rows);
  try {
    for (const test of suite.tests) for (const who of test.who) await run.check(test, who, suite);
  } finally {
    await asked.close();
  }
  return { findings: run.findings, checks: run.checks, protocols: protocols.map(({ name }) => name) };
}

class SuiteRun {
  readonly findings: Finding[] = [];
  checks = 0;
  readonly #asked: AskedServer;
  readonly #protocols: readonly Protocol[];
  readonly #steps: TestSteps;
  readonly #rows: MadeRows;

  constructor(asked: AskedServer, protocols: readonly Protocol[], steps: TestSteps, rows: MadeRows) {
    this.#asked = asked;
    this.#protocols = protocols;
    this.#steps = steps;
    this.#rows = rows;
  }

  async check(test: AccessTest, who: string, suite: AccessSuite): Promise<void> {
    const step = this.#steps.step(test, who);
    const seen = new Map<string, string[]>();
    for (const protocol of this.#protocols) {
      const outcome = await this.#asked.outcome(protocol, step);
      if (!outcome) continue;
      this.checks += 1;
      const found = isHiddenFirst(protocol, step, test, outcome) ? undefined : deviation(test, outcome, this.#rows);
      if (found !== undefined) seen.set(found, [...(seen.get(found) ?? []), protocol.name]);
    }
    for (const [found, names] of seen) this.findings.push(finding(test, who, found, names, suite));
  }
}

/** GraphQL reaches some lists through their parents, and tells of a hidden one before it asks who may list. */
export const isHiddenFirst = (protocol: Protocol, step: Step, { expected }: AccessTest, outcome: Outcome): boolean =>
  protocol.isThroughParent(step) &&
  (expected.outcome === 'forbidden' || expected.outcome === 'unauthenticated') &&
  outcome.kind === 'error' &&
  outcome.code === 'NOT_FOUND';

function finding(
  { resource, action, row, under, expected, location }: AccessTest,
  who: string,
  found: string,
  protocols: readonly string[],
  { callers }: AccessSuite,
): Finding {
  const on = row === undefined ? (under === undefined ? '' : ` under \`${under}\``) : ` of \`${row}\``;
  const claims = callers.get(who);
  const as = claims ? `'${JSON.stringify(claims)}'` : 'anonymous';
  return {
    rule: 'access-test',
    severity: 'error',
    message: `\`${resource.key}.${action}\`${on} as \`${who}\` is expected ${expectedWords(expected)}, and ${found} over ${protocols.join(' and ')}.`,
    hint: `The rules in words: \`npm run explain -- ${resource.key}.${action} --as ${as}\`.`,
    location,
  };
}
