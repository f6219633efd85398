import { defaultOf } from '../../../descriptor/default-of.ts';
import type { Encoding, MediaType, OpenApiDocument, Parameter, Schema } from '../../../descriptor/document.ts';
import { dereference } from '../../../descriptor/references.ts';
import type { ListForm, ObjectForm, ParameterDescriptor, ParameterForm } from '../../../descriptor/rest.ts';
import { propertiesOf, scalarTypes, typesOf } from '../../json-schema/types-of.ts';

/** What a parameter's value must be, and how it is written. */
export function describeParameter(document: OpenApiDocument, parameter: Parameter): ParameterDescriptor {
  const schema = schemaOf(parameter);
  const fallback = defaultOf(document, schema);
  return {
    name: parameter.name,
    in: parameter.in,
    ...(parameter.required === true && { required: true }),
    ...(parameter.allowEmptyValue === true && parameter.in === 'query' && { allowsEmpty: true }),
    schema,
    ...(fallback !== undefined && { default: fallback }),
    ...formOf(document, parameter, schema),
  };
}

/** The schema of a parameter's value, in whichever way that is written. */
const schemaOf = ({ schema, content = {} }: Parameter): Schema => schema ?? Object.values(content)[0]?.schema ?? true;

function formOf(document: OpenApiDocument, parameter: Parameter, schema: Schema): ParameterForm {
  if (parameter.content) return { kind: 'json' };
  const inQuery = parameter.in === 'query';
  const style = parameter.style ?? (inQuery || parameter.in === 'cookie' ? 'form' : 'simple');
  const explode = parameter.explode ?? style === 'form';
  const types = typesOf(document, schema);
  const isPlain = style === 'simple' || style === 'form';
  if (isPlain && [...types].every((type) => type === 'string')) return { kind: 'text' };
  const isSpread = inQuery && style === 'form' && explode;
  const isObject = types.has('object') && (isSpread || !types.has('array'));
  if (isObject || (inQuery && style === 'deepObject')) return { ...objectForm(document, schema), style, explode };
  if (types.has('array')) return { ...listForm(document, schema), style, explode };
  return { kind: 'scalar', style, explode, types: scalarTypes(types) };
}

function objectForm(document: OpenApiDocument, schema: Schema): Omit<ObjectForm, 'style' | 'explode'> {
  const target = dereference(document, schema);
  const properties = [...propertiesOf(document, schema)];
  const lists = properties.flatMap(([name, property]) =>
    typesOf(document, property).has('array') ? [[name, listForm(document, property).items] as const] : [],
  );
  return {
    kind: 'object',
    properties: Object.fromEntries(
      properties.map(([name, property]) => [name, scalarTypes(typesOf(document, property))]),
    ),
    ...(lists.length > 0 && { lists: Object.fromEntries(lists) }),
    ...(typeof target === 'object' && Boolean(target['additionalProperties']) && { isOpen: true }),
  };
}

function listForm(document: OpenApiDocument, schema: Schema): Omit<ListForm, 'style' | 'explode'> {
  const target = dereference(document, schema);
  const { items = true, maxItems } = (typeof target === 'object' ? target : {}) as {
    readonly items?: Schema;
    readonly maxItems?: number;
  };
  const types = typesOf(document, schema);
  const mayBeOne = ['string', 'integer', 'number', 'boolean'].some((type) => types.has(type));
  return {
    kind: 'list',
    items: scalarTypes(typesOf(document, items)),
    ...(mayContainComma(document, items) && { hasCommas: true }),
    ...(maxItems !== undefined && { maxItems }),
    ...(mayBeOne && { single: scalarTypes(types) }),
  };
}

/** Many clients encode the delimiter: where no item can contain a comma, an encoded one is a delimiter, too. */
function mayContainComma(document: OpenApiDocument, items: Schema): boolean {
  const schema = dereference(document, items);
  if (typeof schema === 'boolean') return true;
  if (Array.isArray(schema['enum'])) return schema['enum'].some((value) => String(value).includes(','));
  if (!typesOf(document, schema).has('string')) return false;
  return !['uuid', 'date', 'date-time', 'int64', 'decimal'].includes(schema['format'] as string);
}

/**
 * The properties of a form (OpenAPI 3.1, 4.8.14.4): each is written as a query parameter would be, by its `encoding`. What no
 * property describes is left as text, for the whole schema to judge.
 */
export function formFields(document: OpenApiDocument, { schema = true, encoding = {} }: MediaType) {
  return formParameters(document, { schema, encoding }).map((field) => describeParameter(document, field));
}

/** The same as parameters of a query. */
export const formParameters = (document: OpenApiDocument, { schema = true, encoding = {} }: MediaType) =>
  [...propertiesOf(document, schema)].map(([name, property]) => fieldOf(document, name, property, encoding[name]));

/** A property as a query parameter. An object without a style is JSON text. */
function fieldOf(document: OpenApiDocument, name: string, schema: Schema, encoding: Encoding = {}): Parameter {
  const { style, explode, contentType } = encoding;
  const isText = contentType === undefined || style !== undefined || explode !== undefined;
  const isObject = typesOf(document, schema).has('object');
  const isJson = isText ? isObject && style === undefined : /[/+]json$/.test(contentType);
  if (isJson) return { name, in: 'query', content: { 'application/json': { schema } } };
  return {
    name,
    in: 'query',
    schema,
    ...(style !== undefined && { style }),
    ...(explode !== undefined && { explode }),
  };
}
