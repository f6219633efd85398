import { LRUCache } from 'lru-cache';
import type { Schema } from '../../../descriptor/document.ts';
import { childPointer } from '../../../descriptor/json-pointer.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { SchemaRegistry, Validate } from '../../schema/schema-registry.ts';

/** The validators of a resource's bodies. `schemaOf`: the schema of a name. */
export function validatorsOf(
  { schemas: names }: ResourceDescriptor,
  schemaOf: (name: string | undefined) => Schema,
  schemas: SchemaRegistry,
) {
  return {
    validateAnswer: schemas.output(schemaOf(names.resource)),
    validateInput: schemas.input(schemaOf(names.input), { defaults: true }),
    validateMerged: schemas.input(schemaOf(names.input)),
    validatePatch: schemas.input(schemaOf(names.patch)),
  };
}

/** What tokens say is looked up: it is the same for all requests of a caller. */
const MAX_KNOWN_FITS = 1_000;

export function fitReader(validateAnswer: Validate): (property: string, value: unknown) => boolean {
  const known = new LRUCache<string, boolean>({ max: MAX_KNOWN_FITS });
  return (property, value) => {
    const name = `${property} ${value}`;
    const fits = known.get(name) ?? isFitting(validateAnswer, property, value);
    known.set(name, fits);
    return fits;
  };
}

/** Whether an answer with nothing else has no fault at the property. */
function isFitting(validateAnswer: Validate, property: string, value: unknown): boolean {
  const place = childPointer('', property);
  const faults = validateAnswer({ [property]: value }) ?? [];
  return !faults.some((fault) => 'pointer' in fault && fault.pointer === place);
}
