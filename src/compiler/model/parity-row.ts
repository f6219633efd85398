import type { Location } from '../findings/finding.ts';
import type { Fix } from '../findings/fix.ts';
import type { RuleTable } from '../findings/rule-text.ts';

/**
 * What a row of the table is about. Prefixed with `parity-`, it is the name of the rule that a difference breaks, with what the rule demands,
 * and what to do.
 */
export const ASPECTS = {
  action: [
    'Both protocols have the same actions.',
    'What one of them lacks on purpose is declared: `x-parity`, or `@parity` in the SDL.',
  ],
  argument: [
    'A field has the arguments that its operation asks for, and no others, which would be ignored.',
    'Compare names and types; the tables of fields and arguments are in docs/graphql.md.',
  ],
  connection: [
    'Connections have the fields of the Relay specification.',
    '`edges`, `nodes`, `pageInfo`, and `totalCount` where the list counts, with `totalCountIsExact` where it is bounded.',
  ],
  cost: [
    'A page of the greatest size fits the cost limit.',
    'Raise `@limits(cost:)`, lower the greatest page, or lower the `@cost` of its fields.',
  ],
  custom: [
    'Both protocols have the same custom operations.',
    'Give the field `@operation(id: …)`, with the `operationId` of a custom operation.',
  ],
  default: [
    'Properties have the same default in both protocols.',
    'A caller who leaves one out gets the same from each.',
  ],
  deprecation: ['What is deprecated is so in both protocols.', '`deprecated: true` here is `@deprecated` there.'],
  enum: ['Enums have the same values in both protocols.', 'Add the value that one of them lacks.'],
  error: ['Both protocols can answer the same errors.', 'The catalogue is one for both.'],
  event: [
    'Events are declared in the same way for both protocols.',
    'Which events a resource has is said in docs/graphql.md.',
  ],
  field: [
    'A property has the same type and nullability in both protocols.',
    '`String!` is a required `string` that is not null.',
  ],
  filter: [
    'Lists filter by the same properties and operators.',
    'A query parameter here is a field of the filter input there.',
  ],
  input: [
    'Inputs take the same properties, types and nullability.',
    'Compare `BookInput` and `BookPatch` on both sides.',
  ],
  owner: [
    'The owner rule is the same over both protocols.',
    'It stands in the OpenAPI document; the SDL may not contradict it.',
  ],
  'page-default': ['Lists have the same default page size.', '`default` of `limit` is the default of `first`.'],
  'page-maximum': [
    'Lists have the same maximum page size.',
    '`maximum` of `limit` is `assumedSize` of `@listSize`, which names what slices and sizes the list, too.',
  ],
  reference: [
    'References lead to the same resource.',
    'A property with `x-references: Book` is a field of type `Book`.',
  ],
  return: [
    'A field returns what its operation returns.',
    'Compare type and nullability; the table of fields is in docs/graphql.md.',
  ],
  scope: ['Both protocols ask for the same scopes.', '`security` is `@auth`, alternative by alternative.'],
  sort: ['Lists sort by the same properties.', '`-title` is `TITLE_DESC`.'],
  'sort-default': ['Lists have the same default order.', 'The default of `sort`, on both sides.'],
  'total-count': ['Lists count their entries in both protocols, or in neither.', '`count` and `totalCount`.'],
  'total-count-exact': [
    'Lists say whether their count is exact in both protocols, or in neither.',
    '`totalCountIsExact: Boolean!` where `totalCount` has a `maximum`.',
  ],
  way: [
    'A list is reached over GraphQL with the scopes that REST asks for.',
    'Below another resource it asks for those of that resource, too: add the field of `Query`, such as `bookCopies(bookId: ID!, …)`.',
  ],
  union: [
    'Unions have the same branches in both protocols.',
    'Compare the `oneOf` of the schema of its name, which has a `discriminator`, with the types of the union.',
  ],
} satisfies RuleTable;

export type Aspect = keyof typeof ASPECTS;

/**
 * What one protocol states, and where; undefined when it does not have the fact, and the location is where it would
 * be.
 */
export interface Side {
  readonly text: string | undefined;
  readonly location: Location;
  /** The declaration that this protocol lacks, as it would be written. */
  readonly expected?: string | undefined;
  /** Why the other protocol deliberately lacks it (`x-parity`, `@parity`). */
  readonly because?: string | undefined;
}

/** One fact of a contract, as REST and GraphQL state it. */
export interface ParityRow {
  /** Key of the resource, or the name of what several resources share. */
  readonly resource: string;
  readonly aspect: Aspect;
  readonly name: string;
  readonly rest: Side;
  readonly graphql: Side;
  /**
   * `stale` when a difference is declared that does not exist, `stricter` when GraphQL asks for more than REST before it
   * comes to the same.
   */
  readonly verdict: 'same' | 'declared' | 'different' | 'stale' | 'stricter';
  /** What to do about a difference, where the aspect does not say it. */
  readonly hint?: string | undefined;
  /** Of a difference, the edit that removes it, where it follows from the other side. */
  readonly fix?: Fix | undefined;
}

export function verdictOf(rest: Side, graphql: Side): Exclude<ParityRow['verdict'], 'stricter'> {
  const isDeclared = rest.because !== undefined || graphql.because !== undefined;
  const isOneSided =
    (rest.because !== undefined && graphql.text === undefined) ||
    (graphql.because !== undefined && rest.text === undefined);
  if (isDeclared) return isOneSided ? 'declared' : 'stale';
  return rest.text === graphql.text ? 'same' : 'different';
}
