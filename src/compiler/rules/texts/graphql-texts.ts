import type { RuleTable } from './rule-table.ts';

/** The rules of the SDL (docs/graphql.md), and the facts that both protocols must state alike. */
export const GRAPHQL_TEXTS: RuleTable = {
  'graphql-name-collision': [
    'GraphQL can tell the names of the contract apart.',
    'It has letters, digits and underscores alone; names that become the same are renamed in the OpenAPI document.',
  ],
  'parity-action': [
    'Both protocols have the same actions.',
    'What one of them lacks on purpose is declared: `x-parity`, or `@parity` in the SDL.',
  ],
  'parity-argument': [
    'A field has the arguments that its operation asks for, and no others, which would be ignored.',
    'Compare names and types; the tables of fields and arguments are in docs/graphql.md.',
  ],
  'parity-connection': [
    'Connections have the fields of the Relay specification.',
    '`edges`, `nodes`, `pageInfo`, and `totalCount` where the list counts, with `totalCountIsExact` where it is bounded.',
  ],
  'parity-cost': [
    'A page of the greatest size fits the cost limit.',
    'Raise `@limits(cost:)`, lower the greatest page, or lower the `@cost` of its fields.',
  ],
  'parity-custom': [
    'Both protocols have the same custom operations.',
    'Give the field `@operation(id: …)`, with the `operationId` of a custom operation.',
  ],
  'parity-default': [
    'Properties have the same default in both protocols.',
    'A caller who leaves one out gets the same from each.',
  ],
  'parity-deprecation': [
    'What is deprecated is so in both protocols.',
    '`deprecated: true` here is `@deprecated` there.',
  ],
  'parity-enum': ['Enums have the same values in both protocols.', 'Add the value that one of them lacks.'],
  'parity-error': ['Both protocols can answer the same errors.', 'The catalogue is one for both.'],
  'parity-event': [
    'Events are declared in the same way for both protocols.',
    'Which events a resource has is said in docs/graphql.md.',
  ],
  'parity-field': [
    'A property has the same type and nullability in both protocols.',
    '`String!` is a required `string` that is not null.',
  ],
  'parity-filter': [
    'Lists filter by the same properties and operators.',
    'A query parameter here is a field of the filter input there.',
  ],
  'parity-input': [
    'Inputs take the same properties, types and nullability.',
    'Compare `BookInput` and `BookPatch` on both sides.',
  ],
  'parity-owner': [
    'The owner rule is the same over both protocols.',
    'It stands in the OpenAPI document; the SDL may not contradict it.',
  ],
  'parity-page-default': ['Lists have the same default page size.', '`default` of `limit` is the default of `first`.'],
  'parity-page-maximum': [
    'Lists have the same maximum page size.',
    '`maximum` of `limit` is `assumedSize` of `@listSize`, which names what slices and sizes the list, too.',
  ],
  'parity-reference': [
    'References lead to the same resource.',
    'A property with `x-references: Book` is a field of type `Book`.',
  ],
  'parity-return': [
    'A field returns what its operation returns.',
    'Compare type and nullability; the table of fields is in docs/graphql.md.',
  ],
  'parity-scope': ['Both protocols ask for the same scopes.', '`security` is `@auth`, alternative by alternative.'],
  'parity-sort': ['Lists sort by the same properties.', '`-title` is `TITLE_DESC`.'],
  'parity-sort-default': ['Lists have the same default order.', 'The default of `sort`, on both sides.'],
  'parity-total-count': ['Lists count their entries in both protocols, or in neither.', '`count` and `totalCount`.'],
  'parity-total-count-exact': [
    'Lists say whether their count is exact in both protocols, or in neither.',
    '`totalCountIsExact: Boolean!` where `totalCount` has a `maximum`.',
  ],
  'parity-way': [
    'A list is reached over GraphQL with the scopes that REST asks for.',
    'Below another resource it asks for those of that resource, too: add the field of `Query`, such as `bookCopies(bookId: ID!, …)`.',
  ],
  'parity-union': [
    'Unions have the same branches in both protocols.',
    'Compare the `oneOf` of the schema of its name, which has a `discriminator`, with the types of the union.',
  ],
};
