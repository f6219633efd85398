const texts = { type: 'array', items: { type: 'string' } };

/** JSON Schema of `access.yaml`, a contract's own tests of who may do what. */
export const ACCESS_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Access tests of a contract, run by `contract`',
  type: 'object',
  additionalProperties: false,
  required: ['callers', 'rows', 'tests'],
  properties: {
    callers: {
      description:
        'Claims of callers, by name. `anonymous` always exists.\n\nExample: ada: { sub: ada, scope: notes:write }',
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['sub'],
        properties: { sub: { type: 'string', minLength: 1 }, scope: { type: 'string' } },
      },
    },
    rows: {
      description:
        'Rows by resource and name. A reference is the name of a row, `$ada` the `sub` of a caller. Omitted values are generated.\n\nExample: notes: { hers: { writerId: $ada } }',
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: { type: 'object' } },
    },
    tests: {
      description: 'Each runs over every protocol, on the rows above.',
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['who', 'action', 'expect'],
        properties: {
          who: { description: 'A caller, or several.', oneOf: [{ type: 'string' }, { ...texts, minItems: 1 }] },
          action: { description: 'As `notes.update`, or an operationId.', type: 'string' },
          row: { description: 'The row that it is about.', type: 'string' },
          under: { description: 'The row of the parent, for a list or a creation below it.', type: 'string' },
          values: {
            description: 'The input. For a creation, omitted required values are generated.',
            type: 'object',
          },
          expect: {
            description: 'What is answered.',
            oneOf: [
              { enum: ['allowed', 'forbidden', 'not found', 'unauthenticated'] },
              {
                type: 'object',
                additionalProperties: false,
                minProperties: 1,
                properties: {
                  listed: { ...texts, description: 'Rows that the list has.' },
                  hidden: { ...texts, description: 'Rows that the list does not have.' },
                  null: { ...texts, description: 'Properties of the answer without a value.' },
                },
              },
            ],
          },
        },
      },
    },
  },
} as const;
