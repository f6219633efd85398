import type { ValueSchema } from '../../compiler/json-schema/index.ts';
import { holdsId, type Id, idProperty, propertyNamed, type ResourceDescriptor } from '../../descriptor/resource.ts';

const MISSING_UUID = '019bc0de-7c00-7000-8000-0000000000ff';
const MISSING_INT64 = '9007199254740993';
const TRIES = 50;

/** An id in the spelling that rows have: a UUID in lower case (RFC 9562, 4). */
export function idInRow(resource: ResourceDescriptor, id: string): string {
  return idProperty(resource).type === 'uuid' ? id.toLowerCase() : id;
}

/** An id, or a value of another key, that a row could have, and none has, as JSON has it. */
export function missingId({ inputs, rows }: MissingIdSource, resource: ResourceDescriptor, name = 'id'): Id {
  const { type } = propertyNamed(resource.properties, name);
  if (type === 'uuid') return MISSING_UUID;
  if (type === 'int64') return MISSING_INT64;
  const schema = inputs.schemaOf(resource.schemas.resource).properties?.[name];
  for (let tries = 0; ; tries += 1) {
    const id = inputs.valueOf(schema && { ...schema, examples: [] }) as Id;
    if (tries > TRIES || !rows.with(resource, name, id)) return id;
  }
}

/** Where valid ids come from, and those that are taken. */
interface MissingIdSource {
  readonly inputs: {
    schemaOf(name: string | undefined): ValueSchema;
    valueOf(schema: ValueSchema | undefined): unknown;
  };
  readonly rows: { with(resource: ResourceDescriptor, name: string, value: unknown): unknown };
}

/** The properties whose values are `ID` in GraphQL, which coerces numbers to texts (GraphQL, 3.5.5). */
export const idNames = ({ properties }: ResourceDescriptor): ReadonlySet<string> =>
  new Set(properties.filter(holdsId).map(({ name }) => name));
