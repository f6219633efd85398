import { type GraphQLObjectType, type GraphQLOutputType, getNamedType, isObjectType } from 'graphql';
import type { Schema } from '../../../descriptor/document.ts';
import type { FlatProperty, FlatSchema } from '../../json-schema/flat-schema.ts';
import { flatNamed, flatSchema } from '../../model/schemas.ts';
import { areaOf, hasFlag, propertyText } from '../convention/schema-owner.ts';
import { inlineObject } from '../convention/type-text.ts';
import { argumentFacts, deprecationFact, type FieldSite } from './field-facts.ts';
import { enumFacts, extraFieldFact, type Members, propertyFact } from './member-facts.ts';
import type { Field, Parity } from './parity.ts';

/** A type and the schema of the same name, field by field. */
export function outputFacts(parity: Parity, name: string): void {
  const type = parity.schema.getType(name);
  if (!isObjectType(type)) return;
  const flat = flatNamed(parity.document, name);
  fieldFacts(parity, type, flat, areaOf(parity, name));
}

/** A type whose schema has no name, which is compared where it is used; lists are looked into. */
export function inlineOutputFacts(
  parity: Parity,
  area: string,
  schemas: readonly Schema[],
  given: GraphQLOutputType,
): void {
  const type = getNamedType(given);
  const flat = inlineObject(parity.document, schemas);
  if (!flat || !isObjectType(type) || !parity.isNew(type.name, flat.nodes.at(-1)!)) return;
  fieldFacts(parity, type, flat, area);
}

function fieldFacts(parity: Parity, type: GraphQLObjectType, flat: FlatSchema, area: string): void {
  const { name } = type;
  const fields = type.getFields();
  const members: Members = { area, kind: 'field', type, flat };
  for (const site of flat.properties.values()) {
    if (hasFlag(parity, site, 'writeOnly')) continue;
    const field = fields[site.name];
    const rest = outputText(parity, site, flat, field, area);
    propertyFact(parity, members, site, rest, field);
    if (field) enumFacts(parity, area, site, getNamedType(field.type));
    if (field) ownFacts(parity, { area, coordinate: `${name}.${site.name}`, field }, site);
    if (field) inlineOutputFacts(parity, area, site.schemas, field.type);
  }
  for (const field of Object.values(fields)) {
    if (flat.properties.has(field.name) || parity.descriptor.fields[`${name}.${field.name}`]) continue;
    extraFieldFact(parity, members, field);
  }
}

function outputText(
  parity: Parity,
  site: FlatProperty,
  flat: FlatSchema,
  field: Field | undefined,
  area: string,
): string {
  const isVersion = site.name === 'version' && parity.resources.some(({ key }) => key === area);
  const type = isVersion
    ? 'Int'
    : propertyText(parity, { area, name: site.name, schemas: site.schemas }, 'output', field?.type);
  const isRequired = flat.required.has(site.name) && !flatSchema(parity.document, ...site.schemas).nullable;
  return `${type}${isRequired ? '!' : ''}`;
}

/** A property takes no arguments, and is deprecated or not. */
function ownFacts(parity: Parity, at: FieldSite, site: FlatProperty): void {
  const rest = (text: string | undefined) => parity.rest(text, site.holder, site.name);
  deprecationFact(parity, at, hasFlag(parity, site, 'deprecated'), rest);
  if (parity.descriptor.fields[at.coordinate]?.kind !== 'custom') argumentFacts(parity, at, [], rest);
}
