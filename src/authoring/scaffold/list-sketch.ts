import { schemaReference } from '../../compiler/json-schema/index.ts';
import {
  COUNT_PARAMETER,
  CURSOR_PARAMETER,
  type Json,
  type ListSketch,
  limitParameter,
  parameterRef,
} from '../sync/openapi-resource.ts';
import type { OpenApiWriter } from '../sync/openapi-writer.ts';
import { filterParameter } from '../sync/parameter-objects.ts';
import type { Field } from './field.ts';
import { enumName, propertyName } from './field-schemas.ts';
import { ID_SCHEMAS } from './id-schemas.ts';

const OWN_PARAMETERS: Readonly<Record<string, Json>> = {
  Count: COUNT_PARAMETER,
  Limit: limitParameter(),
  Cursor: CURSOR_PARAMETER,
};

/** The list of a new resource. */
export const listOf = (type: string, fields: readonly Field[], writer: OpenApiWriter): ListSketch => ({
  filters: fields.flatMap((field) => filterOf(type, field)),
  sorts: sortKeys(fields).flatMap((key) => [key, `-${key}`]),
  paging: Object.keys(OWN_PARAMETERS).map((name) => sharedParameter(writer, name) ?? OWN_PARAMETERS[name]!),
});

/** A reference to a parameter that the contract's operations share. */
export const sharedParameter = (writer: OpenApiWriter, name: string): Json | undefined =>
  writer.has('parameters', name) ? parameterRef(name) : undefined;

/**
 * Lists are most often filtered by enums, references and booleans. The rest gets no filter, because each takes
 * an index.
 */
function filterOf(type: string, field: Field): readonly Json[] {
  const name = propertyName(field);
  switch (field.type.kind) {
    case 'enum':
      return [
        filterParameter(name, 'in', () => schemaReference(enumName(type, field)), { most: field.type.values.length }),
      ];
    case 'ref': {
      const { id = ID_SCHEMAS.uuid } = field.type;
      const description = 'Only entries that refer to this resource.';
      return [filterParameter(name, 'equal', () => id, { description })];
    }
    case 'boolean':
      return [filterParameter(name, 'equal', () => ({ type: 'boolean' }))];
    default:
      return [];
  }
}

/** The sort keys of a list: the first required string, and the time of creation. */
function sortKeys(fields: readonly Field[]): readonly string[] {
  const text = fields.find(({ type, isRequired }) => type.kind === 'string' && isRequired);
  return [...(text ? [text.name] : []), 'createdAt'];
}
