import { SCALAR_SCHEMAS } from '../../compiler/sdl/scalar-schemas.ts';
import type { Json } from './openapi-resource.ts';

const MAX_INT32 = 2_147_483_647;

/** Integers of a derived document say their bounds. */
const INTEGERS: Readonly<Record<string, Json>> = {
  Int: { type: 'integer', minimum: -MAX_INT32 - 1, maximum: MAX_INT32 },
  SafeInt: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
};

/** The schema of a scalar; one that the conventions do not know is a string. */
export function schemaOfScalar(scalar: string, isNullable: boolean): Json {
  const schema = INTEGERS[scalar] ?? SCALAR_SCHEMAS[scalar] ?? { type: 'string' };
  return isNullable ? { ...schema, type: [schema['type'], 'null'] } : schema;
}
