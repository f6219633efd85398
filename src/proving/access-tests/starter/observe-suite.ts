import type { CompiledContract } from '../../../descriptor/compiled-contract.ts';
import type { Outcome } from '../../harness/step.ts';
import { type AskedTest, askSuite } from '../ask-suite.ts';
import { CODES, deviation, listedIds } from '../judge.ts';
import { MadeRows } from '../make-rows.ts';
import type { AccessSuite, AccessTest, Expected, Values } from '../suite.ts';

/** What a caller of a test is answered; undefined where no test can say it, as a conflict, or where protocols differ. */
export interface Observation {
  readonly test: AccessTest;
  readonly who: string;
  readonly expected: Expected | undefined;
}

/** What the tests of a suite would have to expect to pass. */
export async function observeSuite(contract: CompiledContract, suite: AccessSuite): Promise<readonly Observation[]> {
  const rows = new MadeRows(suite, contract);
  const asked = await askSuite(contract, suite, rows);
  return asked.map(({ test, who, answers }) => ({ test, who, expected: agreed(test, answers, suite, rows) }));
}

/** What a test would have to expect, so that every protocol's answer is as expected. */
function agreed(
  test: AccessTest,
  answers: AskedTest['answers'],
  suite: AccessSuite,
  rows: MadeRows,
): Expected | undefined {
  const expected = answers[0] && expectationOf(test, answers[0].outcome, suite, rows);
  const isAsExpected = expected && answers.every((one) => deviation({ ...test, expected }, one, rows) === undefined);
  return isAsExpected ? expected : undefined;
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
    const ids = listedIds(outcome.value);
    const named = suite.rows.filter((row) => row.resource === resource);
    const listed = named.filter(({ name }) => ids.has(String(rows.row(resource.key, name)['id'])));
    const hidden = named.filter((row) => !listed.includes(row));
    const [shown, absent] = [listed, hidden].map((some) => some.map(({ name }) => name));
    return { outcome: 'allowed', ...NOTHING, listed: shown!, hidden: absent! };
  }
  const value = outcome.value as Values;
  const ruled = action === 'get' ? resource.properties.filter(({ access }) => access?.read) : [];
  const empty = ruled.filter(({ name }) => value[name] == null).map(({ name }) => name);
  return { outcome: 'allowed', ...NOTHING, empty };
}
