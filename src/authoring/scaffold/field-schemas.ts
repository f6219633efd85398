import { wordsOf } from '../../compiler/graphql/convention/index.ts';
import { schemaReference } from '../../compiler/json-schema/index.ts';
import { upperFirst } from '../../compiler/model/index.ts';
import { withArticle } from '../../descriptor/article.ts';
import type { Json } from '../sync/openapi-resource.ts';
import type { Field } from './field.ts';
import { ID_SCHEMAS } from './id-schemas.ts';
import { SCALARS } from './words/scalars.ts';

/** The name of a field's enum: `BookStatus`. */
export const enumName = (type: string, { name }: Field): string => type + upperFirst(name);

/** The name of a field's property; a reference holds an id. */
export const propertyName = ({ name, type }: Field): string => (type.kind === 'ref' ? `${name}Id` : name);

/** The schema of a field's enum. `type`: of the resource. */
export const enumSchema = (type: string, { name }: Field, values: readonly string[]): Json => ({
  description: `The ${wordsOf(name)} of ${withArticle(wordsOf(type).toLowerCase())}.`,
  type: 'string',
  enum: values,
});

/** The schema of a value, which is nullable unless it is required. */
export function valueSchema(type: string, field: Field): Json {
  if (field.type.kind === 'enum') {
    const named = schemaReference(enumName(type, field));
    return field.isRequired ? named : { oneOf: [named, { type: 'null' }] };
  }
  const schema: Json = field.type.kind === 'ref' ? (field.type.id ?? ID_SCHEMAS.uuid) : SCALARS[field.type.kind];
  return field.isRequired ? schema : { ...schema, type: [schema['type'], 'null'] };
}

/** The property of the resource's own schema. */
export const propertySchema = (type: string, field: Field): Json => ({
  ...valueSchema(type, field),
  ...(field.type.kind === 'ref' && {
    'x-references': field.type.target,
    'x-on-delete': field.isRequired ? 'restrict' : 'set-null',
    ...(field.type.isOwned && { 'x-reference-hidden': 'refuse' }),
  }),
  ...(field.isUnique && { 'x-unique': true }),
  ...(field.isImmutable && { 'x-immutable': true }),
});

/** The schema of what a caller sets; with `id` where it is sent. */
export function inputSchema(type: string, fields: readonly Field[], description: string, id?: Json): Json {
  const sent = fields.filter(({ isRequired }) => isRequired).map(propertyName);
  const required = [...(id ? ['id'] : []), ...sent];
  return {
    description,
    type: 'object',
    properties: { ...(id && { id }), ...propertiesOf(type, fields) },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The schema of what a caller may change. */
export const patchSchema = (type: string, fields: readonly Field[], description: string): Json => ({
  description,
  type: 'object',
  properties: propertiesOf(
    type,
    fields.filter(({ isImmutable }) => !isImmutable),
  ),
  additionalProperties: false,
});

const propertiesOf = (type: string, fields: readonly Field[]): Json =>
  Object.fromEntries(fields.map((field) => [propertyName(field), valueSchema(type, field)]));
