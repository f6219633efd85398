import type { RuleTable } from '../../findings/rule-text.ts';

/** What breaks GraphQL clients: the changes of GraphQL Inspector, and those of the conventions' directives and limits. */
export const BREAKING_GRAPHQL_TEXTS: RuleTable = {
  'breaking-graphql/schema-removed': ['The GraphQL schema stays.', 'Restore the `*.graphql` files.'],
  'breaking-graphql/limit-changed': ['A limit is not lowered.', 'Documents that were accepted would be refused.'],
  'breaking-graphql/auth-changed': ['Callers keep their access to a field.', 'Add the new scopes as another `@auth`.'],
  'breaking-graphql/cost-changed': [
    'A field does not become more costly.',
    'Documents that were within the limit would be refused.',
  ],
  'breaking-graphql/listsize-changed': ['The size of a list stays.', 'It determines the cost and the largest page.'],
  'breaking-graphql/type-removed': ['A type stays.', 'Documents name it in fragments.'],
  'breaking-graphql/type-kind-changed': ['A type keeps its kind.', 'Add another type.'],
  'breaking-graphql/field-removed': ['A field stays.', 'Mark it `@deprecated`.'],
  'breaking-graphql/field-type-changed': [
    'A field keeps its type.',
    'It may only become non-null. Otherwise add a field.',
  ],
  'breaking-graphql/field-argument-added': ['A new argument is optional.', 'Make it nullable, or give it a default.'],
  'breaking-graphql/field-argument-removed': ['An argument stays.', 'Mark it `@deprecated`.'],
  'breaking-graphql/field-argument-type-changed': [
    'An argument accepts the same values.',
    'It may only become nullable. Otherwise add an argument.',
  ],
  'breaking-graphql/field-argument-default-changed': [
    'The default of an argument stays.',
    'Documents that omit it rely on it.',
  ],
  'breaking-graphql/input-field-added': [
    'A new field of an input is optional.',
    'Make it nullable, or give it a default.',
  ],
  'breaking-graphql/input-field-removed': ['A field of an input stays.', 'Mark it `@deprecated`.'],
  'breaking-graphql/input-field-type-changed': [
    'A field of an input accepts the same values.',
    'It may only become nullable.',
  ],
  'breaking-graphql/input-field-default-value-changed': [
    'The default of an input field stays.',
    'Documents that omit it rely on it.',
  ],
  'breaking-graphql/enum-value-added': [
    'Clients receive only enum values that they know.',
    'Add a field of another enum.',
  ],
  'breaking-graphql/enum-value-removed': ['A value of an enum stays.', 'Mark it `@deprecated`.'],
  'breaking-graphql/union-member-added': ['Clients receive only types that they know.', 'Add a field of another type.'],
  'breaking-graphql/union-member-removed': ['A type of a union stays.', 'Documents select from it.'],
  'breaking-graphql/object-type-interface-removed': [
    'A type still implements its interfaces.',
    'Documents select through them.',
  ],
  'breaking-graphql/schema-query-type-changed': ['The root type of queries stays.', 'Keep its name.'],
  'breaking-graphql/schema-mutation-type-changed': ['The root type of mutations stays.', 'Keep its name.'],
  'breaking-graphql/schema-subscription-type-changed': ['The root type of subscriptions stays.', 'Keep its name.'],
  'breaking-graphql/directive-removed': ['A directive stays.', 'Documents may use it.'],
  'breaking-graphql/directive-location-removed': ['A directive keeps its locations.', 'Documents may use it there.'],
  'breaking-graphql/directive-argument-added': [
    'A new argument of a directive is optional.',
    'Make it nullable, or give it a default.',
  ],
  'breaking-graphql/directive-argument-removed': ['An argument of a directive stays.', 'Documents may use it.'],
  'breaking-graphql/directive-argument-type-changed': [
    'An argument of a directive accepts the same values.',
    'It may only become nullable.',
  ],
  'breaking-graphql/directive-argument-default-value-changed': [
    'The default of a directive argument stays.',
    'Documents that leave it out rely on it.',
  ],
  'breaking-graphql/directive-repeatable-removed': [
    'A directive that may be repeated still may.',
    'Documents may repeat it.',
  ],
};
