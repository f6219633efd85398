import type { RuleTable } from './rule-table.ts';

/** Rules of `x-access` and `x-inverse`. */
export const ACCESS_TEXTS: RuleTable = {
  'inverse-name': [
    '`x-inverse` names what refers to a resource, and no two such names are the same.',
    'It is on a reference, and is neither a property nor a reference of the resource that it goes to.',
  ],
  'access-shape': [
    '`x-access` has the actions `read`, `create`, `update` and `delete`, on a property `read` and `write`, each with a list of alternatives.',
    'An alternative has `scope`, `where` or both. It stands on the schema of a resource, or on a property of it.',
  ],
  'access-name': [
    'Conditions name properties, references and inverses that exist.',
    'A reference is named by its property without `Id`, an inverse by `x-inverse` beside `x-references`.',
  ],
  'access-operator': [
    'The operators of conditions apply to the types of the properties.',
    'Texts, numbers, dates and ids have an order; `contains` is for texts; of objects and lists, only `isNull` can be asked.',
  ],
  'access-value': [
    'Conditions compare with values of the type of the property, or with claims.',
    'A claim is `$claims.path.to.it`; a text that begins with `$` is written `$$`.',
  ],
  'access-scope': ['Alternatives name declared scopes.', 'Add it to a flow of the OAuth 2 scheme.'],
  'access-word': [
    'No property, reference or inverse has the name of a word of conditions.',
    'Whether `in` is an operator or a property could not be told.',
  ],
  'access-constant': [
    'Every part of a rule depends on the row or on the caller.',
    'What always holds lets everybody in, however narrow the rest is; what never holds lets nobody in.',
  ],
  'access-anonymous': [
    'Rules that compare claims or ask for scopes are on operations that read credentials.',
    'With `security: []` no caller has any. `[{}, { bearer: [] }]` lets in callers with and without a token.',
  ],
  'access-index': [
    'Indexes find the rows that a caller may read.',
    'A condition that is only negated, or looks for a part of a text, makes each list read the whole table.',
  ],
  'access-hidden-key': [
    'Keys that must be unique, and ids that callers choose, tell of rows that are hidden.',
    "A conflict is 409 whether or not a caller who may write the row reads the other. A key with the property that the rule compares tells only of the caller's own, and where only those write who read every row, nobody learns anything.",
  ],
  'access-nullable': [
    'Properties with a rule of reading are nullable.',
    'They are null for callers who may not read them, in both protocols; required ones stay required.',
  ],
  'access-field': [
    'Rules of properties stand on properties that can be hidden, or that callers send.',
    'What names a row, or lists are sorted by, is known to all who read the row. A default would be written by who leaves it out.',
  ],
  'access-field-key': [
    'Keys that must be unique tell of values that are hidden.',
    'A conflict is 409 also for callers who may write the property and not read it. It names no property that they may not read on every row.',
  ],
};
