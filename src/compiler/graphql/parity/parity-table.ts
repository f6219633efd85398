import type { GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Finding } from '../../findings/finding.ts';
import type { Fix } from '../../findings/fix.ts';
import type { ContractDraft } from '../../model/draft.ts';
import type { ParityRow, Side } from '../../model/parity-row.ts';
import { actionFacts, nestedFacts } from './action-facts.ts';
import { customFacts } from './custom-facts.ts';
import { furtherFacts } from './further-facts.ts';
import { Parity } from './parity.ts';
import { relationFacts } from './relation-facts.ts';
import { errorFacts, unionFacts } from './shared-facts.ts';
import { typeFacts } from './type-facts.ts';

/** Every fact of a contract as REST and GraphQL state it; none for a REST-only contract. */
export function parityTable(
  draft: ContractDraft,
  resources: readonly ResourceDescriptor[],
  descriptor: GraphqlDescriptor | undefined,
): readonly ParityRow[] {
  const { sdl } = draft.source;
  if (!sdl?.schema || !descriptor) return [];
  const parity = new Parity(draft, { ...sdl, schema: sdl.schema }, resources, descriptor);
  actionFacts(parity);
  typeFacts(parity);
  relationFacts(parity);
  nestedFacts(parity);
  furtherFacts(parity);
  customFacts(parity);
  unionFacts(parity);
  errorFacts(parity);
  return withOneLimit(parity.rows);
}

/** Pages of different costs ask for one limit: the greatest. */
function withOneLimit(rows: readonly ParityRow[]): readonly ParityRow[] {
  const fixes = rows.flatMap(({ aspect, fix }) => (aspect === 'cost' && fix ? [fix] : []));
  const cost = ({ text }: Fix): number => Number(/\d+/.exec(text));
  const [greatest] = fixes.toSorted((a, b) => cost(b) - cost(a));
  if (!greatest) return rows;
  return rows.map((row) => (row.aspect === 'cost' && row.fix ? { ...row, fix: greatest } : row));
}

/** Each difference as an error that points to both locations, or a warning where both protocols have the fact. */
export function parityFindings(rows: readonly ParityRow[]): readonly Finding[] {
  return rows.filter(({ verdict }) => verdict !== 'same' && verdict !== 'declared').map(finding);
}

function finding({ aspect, name, rest, graphql, verdict, hint = hintOf(rest, graphql), fix }: ParityRow): Finding {
  const place = { severity: verdict === 'stricter' ? 'warning' : 'error', rule: `parity-${aspect}` } as const;
  if (verdict === 'stale') {
    const [declaring, other] = rest.because === undefined ? [graphql, rest] : [rest, graphql];
    const message = `\`${name}\` is declared to differ, but both protocols have it.`;
    return { ...place, message, hint: 'Remove the declaration.', location: declaring.location, also: other.location };
  }
  const message = `\`${name}\`: REST ${stated(rest)}, GraphQL ${stated(graphql)}.`;
  return { ...place, message, hint, location: rest.location, also: graphql.location, ...(fix && { fix }) };
}

function hintOf(rest: Side, graphql: Side): string {
  if (rest.text === undefined)
    return 'Add it to the OpenAPI document (`--fix` does if it can), remove it, or declare it: `@parity(rest: ABSENT, because: "…")`.';
  if (graphql.text === undefined)
    return 'Add it to the SDL, remove it, or declare it: `x-parity: { graphql: absent, because: … }`.';
  return 'Make them agree.';
}

function stated({ text, expected }: Side): string {
  if (text !== undefined) return `says \`${text}\``;
  return expected === undefined ? 'does not have it' : `lacks \`${expected}\``;
}
