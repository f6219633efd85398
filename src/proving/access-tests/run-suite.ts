import type { Finding } from '../../compiler/findings/index.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { operationOf } from '../harness/step.ts';
import { Successes } from '../harness/successes.ts';
import { type AskedTest, askSuite } from './ask-suite.ts';
import { deviation, expectedWords } from './judge.ts';
import { MadeRows } from './make-rows.ts';
import type { AccessSuite, AccessTest } from './suite.ts';

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
  const asked = await askSuite(contract, suite, rows);
  const findings = asked.flatMap(({ test, who, answers }) => {
    const found = Map.groupBy(answers, (answer) => deviation(test, answer, rows));
    found.delete(undefined);
    return [...found].map(([words, same]) => finding(test, who, words!, same.map(nameOf), suite));
  });
  const answers = asked.flatMap((one) => one.answers);
  return {
    findings: [...findings, ...(await neverSucceeded(contract, suite, rows, asked))],
    checks: answers.length,
    protocols: [...new Set(answers.map(nameOf))],
  };
}

/** Findings about actions in which no caller of a suite succeeds, with any of its rows: its refusals say nothing of access. */
async function neverSucceeded(
  contract: CompiledContract,
  suite: AccessSuite,
  rows: MadeRows,
  asked: readonly AskedTest[],
): Promise<readonly Finding[]> {
  const successes = new Successes();
  const testOf = new Map<string, AccessTest>();
  const add = ({ test, answers }: AskedTest): void => {
    for (const { step, outcome } of answers) {
      // Only a caller that is let in meets a conflict.
      const isLetIn = outcome.kind === 'error' && outcome.status === 409;
      successes.add(operationOf(step), isLetIn ? undefined : outcome);
      testOf.set(operationOf(step), testOf.get(operationOf(step)) ?? test);
    }
  };
  asked.forEach(add);
  const refused = successes
    .unmet([...testOf.keys()], contract)
    .flatMap((one) => widened(lookUp(testOf, one.operationId), suite));
  if (refused.length > 0) (await askSuite(contract, { ...suite, tests: refused }, rows)).forEach(add);
  return successes.unmet([...testOf.keys()], contract).map(({ operationId, reason, excuse }) => {
    const { resource, action, location } = lookUp(testOf, operationId);
    return {
      rule: 'access-test-refused',
      severity: excuse === undefined ? 'error' : 'warning',
      message: `\`${resource.key}.${action}\` succeeds for no caller and no row of these tests: ${excuse ?? reason}.`,
      hint: 'Add a caller that may do it, with the rows that it needs; until then, whatever is refused proves nothing.',
      location,
    };
  });
}

/** The test for every caller and every row. */
function widened(test: AccessTest, { callers, rows }: AccessSuite): readonly AccessTest[] {
  const named = (key: string | undefined): readonly string[] =>
    rows.flatMap(({ resource, name }) => (resource.key === key ? [name] : []));
  const { resource, row, under } = test;
  const who = [...callers.keys()];
  if (row !== undefined) return named(resource.key).map((one) => ({ ...test, who, row: one }));
  const places = under === undefined ? [undefined] : named(resource.parent?.resource);
  return places.flatMap((place) => [test.values, {}].map((values) => ({ ...test, who, values, under: place })));
}

const nameOf = ({ protocol: { name } }: { readonly protocol: { readonly name: string } }): string => name;

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
    message: `\`${resource.key}.${action}\`${on} as \`${who}\` is expected ${expectedWords(expected)}, and ${found} over ${new Intl.ListFormat('en-GB').format(protocols)}.`,
    hint: `The rules in words: \`npm run explain -- ${resource.key}.${action} --as ${as}\`.`,
    location,
  };
}
