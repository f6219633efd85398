import { isInputObjectType, isObjectType } from 'graphql';
import { namedSchemas } from '../../model/schemas.ts';
import { schemaOfInput } from '../fields/describe-inputs.ts';
import { inputFacts } from './input-facts.ts';
import { outputFacts } from './output-facts.ts';
import type { Parity } from './parity.ts';

/** Defined by the conventions; REST may use the same name for another schema. */
const PAGE_INFO = 'PageInfo';

/** The fields and enums of types and inputs that have a schema. */
export function objectFacts(parity: Parity): void {
  const { schema, document } = parity;
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name === PAGE_INFO) continue;
    if (isObjectType(type) && namedSchemas(document)[type.name] !== undefined) outputFacts(parity, type.name);
    const input = isInputObjectType(type) ? schemaOfInput(type.name, document) : undefined;
    if (input !== undefined) inputFacts(parity, type.name, input);
  }
}
