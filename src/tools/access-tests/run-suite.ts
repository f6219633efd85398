import type { Finding } from '../../compiler/findings/finding.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { askSuite } from './ask-suite.ts';
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
  return { findings, checks: answers.length, protocols: [...new Set(answers.map(nameOf))] };
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
    message: `\`${resource.key}.${action}\`${on} as \`${who}\` is expected ${expectedWords(expected)}, and ${found} over ${protocols.join(' and ')}.`,
    hint: `The rules in words: \`npm run explain -- ${resource.key}.${action} --as ${as}\`.`,
    location,
  };
}
