import type { RuleTable } from './rule-table.ts';

/** Rules of all schemas, whatever they describe, in the order in which they are checked. */
export const SCHEMA_TEXTS: RuleTable = {
  'pattern-safe': [
    'Patterns do not backtrack without bound.',
    'Anchor them with `^…$` and bound their repetitions: one request could stop the server.',
  ],
  'int64-pattern': [
    'A pattern of 64-bit integers in requests lets nothing pass that the server refuses.',
    'Digits without a leading zero or a plus: `^\\d{1,19}$` lets `007` pass. Without a pattern, the published document has the one that holds.',
  ],
  'schema-bounds': [
    'The bounds of a schema leave a value between them.',
    '`minimum: 10` with `maximum: 5` lets nothing pass: every request would be refused.',
  ],
  'body-values': [
    'A request body has 10,000 values at most, where its schema bounds them.',
    'One with more may take longer than 20 ms to parse and to validate, in which the server does nothing else. Lower `maxItems`.',
  ],
  'enum-duplicate': [
    'Each value of an enum is there once.',
    'The second says nothing, or is another value misspelt (JSON Schema Validation, 6.1.2).',
  ],
  'default-value': [
    'A default is a value of its schema.',
    'It stands in rows, or in the place of what callers leave out: with `maximum: 99, default: 1000`, requests would be refused for what they do not say.',
  ],
  'discriminator-const': [
    'Every branch of a union fixes the value of its discriminator.',
    'Require the property there, and give it a `const`.',
  ],
  'schema-named': [
    'Object schemas have names.',
    'Each generator of clients would make up another one. Move the schema to `components.schemas`.',
  ],
};
