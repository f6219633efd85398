/** The schema of each scalar type. */
export const SCALARS = {
  string: { type: 'string', minLength: 1, maxLength: 200 },
  text: { type: 'string', minLength: 1, maxLength: 10_000 },
  integer: { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 },
  int64: { type: 'string', format: 'int64' },
  number: { type: 'number' },
  decimal: { type: 'string', format: 'decimal', maxLength: 40 },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  'date-time': { type: 'string', format: 'date-time' },
  uuid: { type: 'string', format: 'uuid' },
  email: { type: 'string', format: 'email', maxLength: 254 },
  uri: { type: 'string', format: 'uri', maxLength: 2048 },
} as const;
export type ScalarKind = keyof typeof SCALARS;
