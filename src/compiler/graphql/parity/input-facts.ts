import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  valueFromASTUntyped,
} from 'graphql';
import type { Schema } from '../../../descriptor/document.ts';
import type { FlatProperty, FlatSchema } from '../../json-schema/flat-schema.ts';
import { flatNamed, flatSchema, namedSchemas } from '../../model/schemas.ts';
import { discriminated, discriminatorsOf } from '../convention/discriminated.ts';
import { inputTypeName, variantName } from '../convention/names.ts';
import { areaOf, hasFlag, propertyText } from '../convention/schema-owner.ts';
import { inlineObject } from '../convention/type-text.ts';
import { enumFacts, extraFieldFact, type Members, propertyFact } from './member-facts.ts';
import type { Parity } from './parity.ts';
import { addMember, defaultFix } from './sdl-edits.ts';

/** An input type and its schema, field by field, with default values. */
export function inputFacts(parity: Parity, name: string, schemaName: string): void {
  const type = parity.schema.getType(name);
  if (!isInputObjectType(type)) return;
  const area = areaOf(parity, schemaName);
  if (type.isOneOf) {
    oneOfFacts(parity, area, name, schemaName);
    return;
  }
  const flat = flatNamed(parity.document, schemaName);
  fieldFacts(parity, type, flat, area, schemaName);
}

/** An input whose schema has no name, which is compared where it is used; lists are looked into. */
export function inlineInputFacts(
  parity: Parity,
  area: string,
  schemas: readonly Schema[],
  given: GraphQLInputType,
): void {
  const type = getNamedType(given);
  const flat = inlineObject(parity.document, schemas);
  if (!flat || !isInputObjectType(type) || !parity.isNew(type.name, flat.nodes.at(-1)!)) return;
  if (type.isOneOf) singleFieldFact(parity, area, type, flat.nodes.at(-1)!);
  fieldFacts(parity, type, flat, area, undefined);
}

/** `schemaName` is undefined for a schema without a name. */
function fieldFacts(
  parity: Parity,
  type: GraphQLInputObjectType,
  flat: FlatSchema,
  area: string,
  schemaName: string | undefined,
): void {
  const { name } = type;
  const isPatch = schemaName !== undefined && parity.resources.some(({ schemas }) => schemas.patch === schemaName);
  const discriminators = schemaName === undefined ? new Set<string>() : discriminatorsOf(parity.document, schemaName);
  const fields = type.getFields();
  const members: Members = { area, kind: 'input', type, flat };
  for (const site of flat.properties.values()) {
    if (hasFlag(parity, site, 'readOnly') || discriminators.has(site.name)) continue;
    const field = fields[site.name];
    const coordinate = `${name}.${site.name}`;
    const value = flatSchema(parity.document, ...site.schemas);
    const isRequired = !isPatch && flat.required.has(site.name) && !value.nullable;
    const place = { area, name: site.name, schemas: site.schemas };
    const rest = `${propertyText(parity, place, 'input', field?.type)}${isRequired ? '!' : ''}`;
    propertyFact(parity, members, site, rest, field);
    if (field) defaultFact(parity, area, coordinate, isPatch ? undefined : value, site, field);
    if (field) inlineInputFacts(parity, area, site.schemas, field.type);
    if (field) enumFacts(parity, area, site, getNamedType(field.type));
  }
  for (const field of Object.values(fields)) {
    if (!flat.properties.has(field.name)) extraFieldFact(parity, members, field);
  }
}

/** A default value; in a patch none has an effect over REST, while GraphQL would set it with every change. */
function defaultFact(
  parity: Parity,
  area: string,
  coordinate: string,
  value: FlatSchema | undefined,
  site: FlatProperty,
  field: GraphQLInputField,
): void {
  const rest = value?.keywords.get('default')?.value;
  const written = field.astNode?.defaultValue;
  const graphql = written && JSON.stringify(valueFromASTUntyped(written));
  const text = rest === undefined ? undefined : JSON.stringify(rest);
  parity.add(
    area,
    'default',
    coordinate,
    parity.rest(text, site.holder, site.name),
    parity.graphql(graphql, field, coordinate),
    () => defaultFix(field, rest),
  );
}

/** A `@oneOf` input has a field for each value of the discriminator. */
function oneOfFacts(parity: Parity, area: string, name: string, schemaName: string): void {
  const type = parity.schema.getType(name);
  const variants = discriminated(parity.document, schemaName);
  if (!isInputObjectType(type)) return;
  const node = namedSchemas(parity.document)[schemaName] as object;
  if (!variants) {
    singleFieldFact(parity, area, type, node);
    return;
  }
  const wanted = new Map(
    Object.entries(variants.schemas).map(([value, variant]) => [variantName(value), inputTypeName(variant)]),
  );
  for (const field of new Set([...wanted.keys(), ...Object.keys(type.getFields())])) {
    const found = type.getFields()[field];
    const coordinate = `${name}.${field}`;
    parity.add(
      area,
      'union',
      coordinate,
      parity.rest(wanted.get(field), node, 'oneOf'),
      parity.graphql(found && String(found.type), found ?? type, coordinate),
      () => (found ? undefined : addMember(type.astNode, `${field}: ${wanted.get(field)}`)),
    );
  }
}

/** A `@oneOf` input takes one field, where the object of REST takes several. */
function singleFieldFact(parity: Parity, area: string, type: GraphQLInputObjectType, node: object): void {
  const { name } = type;
  parity.add(area, 'input', name, parity.rest('object', node), parity.graphql('@oneOf', type, name));
}
