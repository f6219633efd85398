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
    'Declare an intended difference with `x-parity`, or with `@parity` in the SDL.',
  ],
  argument: [
    'A field has exactly the arguments that its operation needs.',
    'Others would be ignored. Compare names and types; the tables of fields and arguments are in docs/graphql.md.',
  ],
  connection: [
    'Connections have the fields of the Relay specification.',
    'These are `edges`, `nodes` and `pageInfo`. A list that counts also has `totalCount`, and `totalCountIsExact` if the count is bounded.',
  ],
  cost: [
    'The largest page fits the cost limit.',
    'Raise `@limits(cost:)`, or lower the page size or the `@cost` of its fields.',
  ],
  custom: [
    'Both protocols have the same custom operations.',
    'Give the field `@operation(id: …)`, with the `operationId` of a custom operation.',
  ],
  default: [
    'Properties have the same default in both protocols.',
    'A caller that omits one gets the same value from each.',
  ],
  deprecation: [
    'Deprecations are the same in both protocols.',
    '`deprecated: true` in OpenAPI is `@deprecated` in the SDL.',
  ],
  enum: ['Enums have the same values in both protocols.', 'Add the missing value.'],
  error: ['Both protocols return the same errors.', 'They share one catalogue.'],
  event: [
    'Events are declared in the same way for both protocols.',
    'The events of a resource are in docs/graphql.md.',
  ],
  field: [
    'A property has the same type and nullability in both protocols.',
    '`String!` is a required `string` that is not null.',
  ],
  filter: [
    'Lists filter by the same properties and operators.',
    'A query parameter in OpenAPI is a field of the filter input in the SDL.',
  ],
  input: [
    'Inputs have the same properties, types and nullability.',
    'Compare `BookInput` and `BookPatch` on both sides.',
  ],
  owner: [
    'The owner rule is the same over both protocols.',
    'The OpenAPI document declares it; the SDL may not contradict it.',
  ],
  'page-default': ['Lists have the same default page size.', '`default` of `limit` is the default of `first`.'],
  'page-maximum': [
    'Lists have the same maximum page size.',
    '`maximum` of `limit` is `assumedSize` of `@listSize`, which also names the arguments and fields that bound the list.',
  ],
  reference: [
    'References lead to the same resource.',
    'A property with `x-references: Book` is a field of type `Book`.',
  ],
  return: [
    'A field returns what its operation returns.',
    'Compare type and nullability; the table of fields is in docs/graphql.md.',
  ],
  scope: ['Both protocols require the same scopes.', 'Each alternative of `security` is an alternative of `@auth`.'],
  sort: ['Lists sort by the same properties.', '`-title` is `TITLE_DESC`.'],
  'sort-default': ['Lists have the same default order.', 'Compare the default of `sort` on both sides.'],
  'total-count': [
    'Lists count their entries in both protocols, or in neither.',
    '`count` in OpenAPI is `totalCount` in the SDL.',
  ],
  'total-count-exact': [
    'Lists report whether their count is exact in both protocols, or in neither.',
    'Add `totalCountIsExact: Boolean!` if `totalCount` has a `maximum`.',
  ],
  way: [
    'GraphQL reaches a list with the scopes that REST requires.',
    'Below another resource, a list also requires the scopes of that resource. Add a field of `Query`, such as `bookCopies(bookId: ID!, …)`.',
  ],
  union: [
    'Unions have the same branches in both protocols.',
    'Compare the types of the union with the `oneOf` of its schema, which has a `discriminator`.',
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
