import type {
  ExplainedAlternative,
  ExplainedRule,
  ExplainedSecurity,
  ExplainedStatement,
  Explanation,
  Holds,
} from './explanation.ts';
import { onLines } from './sql-text.ts';

/** The explanation as text for a terminal. `database`: name of the one whose SQL it has. */
export function formatExplanation(explanation: Explanation, database: string): string {
  const { operationId, method, path, action } = explanation;
  const names = action === operationId ? operationId : `${action} (${operationId})`;
  return [`${names}: ${method} ${path}`, formatCaller(explanation, database)].join('\n\n');
}

/** The explanations for several callers of one action. */
export function formatExplanations(explanations: readonly Explanation[], database: string): string {
  const [first, ...others] = explanations;
  return [formatExplanation(first!, database), ...others.map((one) => formatCaller(one, database))].join('\n\n\n');
}

function formatCaller(
  { caller, security, rules, properties, statements, refusals }: Explanation,
  database: string,
): string {
  const claims = caller.claims ? ` ${JSON.stringify(caller.claims)}` : '';
  const sections = [
    [`For ${caller.name}:${claims}`, `  ${summary(security, rules)}`],
    ['Security', ...securityLines(security)],
    ...(rules.length > 0 ? [['Rules', ...rules.flatMap(ruleLines)]] : []),
    ...(properties.length > 0 ? [['Properties', ...properties.flatMap(ruleLines)]] : []),
    ...(statements.length > 0 ? [[`SQL (${database})`, ...statements.flatMap(statementLines)]] : []),
    ...(refusals.length > 0 ? [['Refusals', ...refusals.map(({ when, answer }) => `  ${when}: ${answer}`)]] : []),
  ];
  return sections.map((lines) => lines.join('\n')).join('\n\n');
}

const RESULTS: Readonly<Record<Holds, string>> = {
  'for all rows': 'It may do this with every row.',
  'depending on the row': 'It may do this with some rows, by the rules below.',
  'for no row': 'It may do this with no row: a rule below never holds for it.',
};

/** What the rules come to together. */
function summary({ admits }: ExplainedSecurity, rules: readonly ExplainedRule[]): string {
  if (!admits) return 'It may not call this at all: `security` does not let it in.';
  if (rules.some(({ holds }) => holds === 'for no row')) return RESULTS['for no row'];
  const depends = rules.some(({ holds }) => holds === 'depending on the row');
  return RESULTS[depends ? 'depending on the row' : 'for all rows'];
}

function securityLines({ alternatives }: ExplainedSecurity): readonly string[] {
  if (alternatives.length === 0) return ['  public: no credentials are read'];
  return alternatives.map(({ isAnonymous, scopes, lacks }) => {
    const asks = scopes.length === 0 ? 'a token' : `a token with ${scopes.map((scope) => `\`${scope}\``).join(', ')}`;
    return `  ${mark(lacks.length === 0 ? 'for all rows' : 'for no row')} ${isAnonymous ? 'no credentials' : asks}${lacking(lacks)}`;
  });
}

function ruleLines({ resource, rule, asks, alternatives, toldBy }: ExplainedRule): readonly string[] {
  const head = `  ${resource}, \`${rule}\`, on ${asks}: ${alternatives.length > 1 ? 'one of' : ''}`.trimEnd();
  return [
    head,
    ...(alternatives.length === 0 ? ['    no   by no caller'] : alternatives.map(alternativeLine)),
    ...(toldBy === 'the row' ? ['    The row itself decides, without SQL.'] : []),
  ];
}

const alternativeLine = ({ words, holds, lacks }: ExplainedAlternative): string =>
  `    ${mark(holds)} ${words}${holds === 'for all rows' ? '' : lacking(lacks)}`;

const MARKS: Readonly<Record<Holds, string>> = {
  'for all rows': 'yes ',
  'depending on the row': 'rows',
  'for no row': 'no  ',
};
const mark = (holds: Holds): string => MARKS[holds];

const lacking = (lacks: readonly string[]): string => (lacks.length === 0 ? '' : ` (it lacks ${lacks.join(', ')})`);

const statementLines = ({ reads, sql, plan }: ExplainedStatement): readonly string[] => [
  `  -- ${reads}`,
  ...onLines(sql).map((line) => `  ${line}`),
  ...plan.map((line) => `  -> ${line}`),
];
