import type { CompiledContract } from '../../../descriptor/compiled-contract.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { ruleSentences } from '../../../descriptor/row-access-words.ts';
import { readSuite } from '../read-suite.ts';
import type { AccessTest, Expected } from '../suite.ts';
import { castOf } from './cast.ts';
import { draftRows } from './draft-rows.ts';
import { type DraftTest, draftTests, isRuled, ruledAbove } from './draft-tests.ts';
import { type Observation, observeSuite } from './observe-suite.ts';
import { type PrintedTest, printSuite } from './print-suite.ts';

const HEAD = [
  '# Who may do what: `npm run contract` asks each of these over every protocol.',
  '# This is what the contract says now. Read each line: where it is not what you mean, the rules are to be changed, or the',
  '# line. What is refused for another reason, as a conflict, is left out. Then add the rows and callers that matter to you.',
];
const UNKNOWN: Expected = { outcome: 'allowed', listed: [], hidden: [], empty: [] };

/**
 * The text of an `access.yaml` to start from, made of the rules of a contract: callers that they distinguish, a row of each
 * resource, and what each caller is answered. Undefined where no resource has rules. `schema`: the path from the file to the
 * JSON Schema of such files, if there is one.
 */
export async function starterSuite(contract: CompiledContract, schema?: string): Promise<string | undefined> {
  const { resources } = contract;
  const ruled = resources.filter((resource) => isRuled(resource) || ruledAbove(resource, resources));
  if (ruled.length === 0) return undefined;
  const cast = castOf(contract);
  const rows = draftRows(contract);
  const who = ['anonymous', ...cast.map(({ name }) => name)];
  const parts = ruled.map((resource) => ({
    words: wordsOf(resource, resources),
    drafts: draftTests(resource, rows, contract),
  }));
  const asked = (draft: DraftTest): PrintedTest => ({ ...draft, who, expected: UNKNOWN });
  const questions = parts.map(({ words, drafts }) => ({ words, tests: drafts.map(asked) }));
  const observed = await observe(contract, printSuite([], cast, rows, questions));
  const head = [...(schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}`]), ...HEAD];
  let next = 0;
  const answered = parts.map(({ words, drafts }) => ({
    words,
    tests: drafts.flatMap((draft) => grouped(draft, observed[next++] ?? [])),
  }));
  return printSuite(
    head,
    cast,
    rows,
    answered.filter(({ tests }) => tests.length > 0),
  );
}

/** What each test was answered, in their order. */
async function observe(contract: CompiledContract, text: string): Promise<readonly (readonly Observation[])[]> {
  const { suite, findings } = readSuite(text, contract);
  if (!suite) throw new Error(findings.map(({ message }) => message).join('\n'));
  const found = await observeSuite(contract, suite);
  const byTest = Map.groupBy(found, ({ test }) => test);
  return suite.tests.map((test: AccessTest) => byTest.get(test) ?? []);
}

/** One test for all callers that are answered the same. */
function grouped(draft: DraftTest, observations: readonly Observation[]): readonly PrintedTest[] {
  const known = observations.flatMap(({ who, expected }) => (expected ? [{ who, expected }] : []));
  // A property that nobody sees has no value in this row.
  const seen = known.map(({ expected }) => expected).filter(({ outcome }) => outcome === 'allowed');
  const nobodys = (name: string): boolean => seen.every(({ empty }) => empty.includes(name));
  const told = known.map(({ who, expected }) => ({
    who,
    expected: { ...expected, empty: expected.empty.filter((name) => !nobodys(name)) },
  }));
  const groups = Map.groupBy(told, ({ expected }) => JSON.stringify(expected));
  return [...groups.values()].map((same) => ({
    ...draft,
    who: same.map(({ who }) => who),
    expected: same[0]!.expected,
  }));
}

function wordsOf(resource: ResourceDescriptor, resources: readonly ResourceDescriptor[]): readonly string[] {
  const above = ruledAbove(resource, resources);
  return [
    resource.name,
    ...(above ? [`It is there for who may read its \`${above.name}\` only.`] : []),
    ...ruleSentences(resource, resources),
  ];
}
