import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { type Protocol, protocolsOf } from '../harness/protocols.ts';
import type { Outcome, Step } from '../harness/step.ts';
import { AskedServer } from './asked-server.ts';
import { CODES, deviation } from './judge.ts';
import { MadeRows } from './make-rows.ts';
import { isHiddenFirst } from './run-suite.ts';
import type { AccessSuite, AccessTest, Expected, Values } from './suite.ts';
import { TestSteps } from './test-steps.ts';

/** What a caller of a test is answered; undefined where no test can say it, as a conflict, or where protocols differ. */
export interface Observation {
  readonly test: AccessTest;
  readonly who: string;
  readonly expected: Expected | undefined;
}

/** Asks what the tests of a suite ask, whatever they expect. */
export async function observeSuite(contract: CompiledContract, suite: AccessSuite): Promise<readonly Observation[]> {
  const rows = new MadeRows(suite, contract);
  const protocols = protocolsOf(contract);
  const steps = new TestSteps(contract, suite, rows);
  const asked = await AskedServer.start(contract, rows.all());
  const found: Observation[] = [];
  try {
    for (const test of suite.tests)
      for (const who of test.who) {
        const step = steps.step(test, who);
        const answers = await answersTo(step, protocols, asked);
        found.push({ test, who, expected: agreed(test, step, answers, suite, rows) });
      }
  } finally {
    await asked.close();
  }
  return found;
}

type Answer = readonly [Protocol, Outcome];

async function answersTo(step: Step, protocols: readonly Protocol[], asked: AskedServer): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const protocol of protocols) {
    const outcome = await asked.outcome(protocol, step);
    if (outcome) answers.push([protocol, outcome]);
  }
  return answers;
}

/** What a test would have to expect, so that every protocol's answer is as expected. */
function agreed(
  test: AccessTest,
  step: Step,
  answers: readonly Answer[],
  suite: AccessSuite,
  rows: MadeRows,
): Expected | undefined {
  const expected = answers[0] && expectationOf(test, answers[0][1], suite, rows);
  if (!expected) return undefined;
  const judged = { ...test, expected };
  const isAsExpected = ([protocol, outcome]: Answer): boolean =>
    isHiddenFirst(protocol, step, judged, outcome) || deviation(judged, outcome, rows) === undefined;
  return answers.every(isAsExpected) ? expected : undefined;
}

const NOTHING = { listed: [], hidden: [], empty: [] };

function expectationOf(
  { resource, action }: AccessTest,
  outcome: Outcome,
  suite: AccessSuite,
  rows: MadeRows,
): Expected | undefined {
  if (outcome.kind === 'malformed') return undefined;
  if (outcome.kind === 'error') {
    const code = CODES[outcome.code];
    return code && { outcome: code, ...NOTHING };
  }
  if (action === 'list') {
    const ids = new Set((outcome.value as { readonly data: readonly Values[] }).data.map(({ id }) => String(id)));
    const names = suite.rows.filter((row) => row.resource === resource).map(({ name }) => name);
    const isListed = (name: string): boolean => ids.has(String(rows.row(resource.key, name)['id']));
    const hidden = names.filter((name) => !isListed(name));
    return { outcome: 'allowed', ...NOTHING, listed: names.filter(isListed), hidden };
  }
  const value = outcome.value as Values;
  const ruled = action === 'get' ? resource.properties.filter(({ access }) => access?.read) : [];
  const empty = ruled.filter(({ name }) => value[name] == null).map(({ name }) => name);
  return { outcome: 'allowed', ...NOTHING, empty };
}
