import type { Json } from './openapi-resource.ts';

const MAX_INT32 = 2_147_483_647;

/** The schema of each scalar of the conventions. */
const SCALARS: Readonly<Record<string, Json>> = {
  String: { type: 'string' },
  ID: { type: 'string', format: 'uuid' },
  Int: { type: 'integer', minimum: -MAX_INT32 - 1, maximum: MAX_INT32 },
  SafeInt: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  EmailAddress: { type: 'string', format: 'email' },
  URL: { type: 'string', format: 'uri' },
  BigInt: { type: 'string', format: 'int64' },
  Decimal: { type: 'string', format: 'decimal' },
  JSON: { type: 'object' },
};

/** The schema of a scalar; one that the conventions do not know is a string. */
export function schemaOfScalar(scalar: string, isNullable: boolean): Json {
  const schema = SCALARS[scalar] ?? { type: 'string' };
  return isNullable ? { ...schema, type: [schema['type'], 'null'] } : schema;
}
