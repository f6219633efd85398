import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { Schema } from '../../../descriptor/document.ts';
import { enumValues } from '../../json-schema/property-type.ts';
import { addEntry } from '../../model/document-edits.ts';
import { behindLists, flatNamed, schemaNamed } from '../../model/schemas.ts';
import { discriminated } from '../convention/discriminated.ts';
import { unpairedTypes } from '../convention/further-fields.ts';
import { inputTypeName, schemaOfInput, variantName } from '../convention/names.ts';
import {
  areaOf,
  isLeftover,
  membersOf,
  namedObject,
  type ObjectSchema,
  type PropertyMember,
  unnamedObject,
} from '../convention/object-members.ts';
import { inlineObject, typeText } from '../convention/type-text.ts';
import { argumentFacts, defaultFact, deprecationFact, memberFact } from './field-facts.ts';
import type { Field, Parity } from './parity.ts';
import { addMember, removeNode } from './sdl-edits.ts';

/** Defined by the conventions; REST may use the same name for another schema. */
const PAGE_INFO = 'PageInfo';

/** The members of the types and inputs that have a schema. */
export function typeFacts(parity: Parity): void {
  const { schema, document } = parity;
  const unpaired = unpairedTypes(parity);
  const others = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap())) {
    const isObject = isObjectType(type);
    if (type.name === PAGE_INFO || unpaired.has(type.name) || !(isObject || isInputObjectType(type))) continue;
    if (isObject && others.includes(type)) continue;
    const name = isObject ? type.name : schemaOfInput(type.name, document);
    const node = schemaNamed(document, name ?? '');
    if (name === undefined || node === undefined) continue;
    if (isObject || !type.isOneOf)
      objectFacts(parity, type, namedObject(parity, name, flatNamed(document, name), isObject ? 'output' : 'input'));
    else oneOfFacts(parity, type, name, node as object);
  }
}

/** A type or an input whose schema has no name, which is compared where it is used; lists are looked into. */
export function inlineFacts(parity: Parity, area: string, schemas: readonly Schema[], given: GraphQLType): void {
  const type = getNamedType(given);
  const flat = inlineObject(parity.document, schemas);
  if (!flat || !(isObjectType(type) || isInputObjectType(type))) return;
  const node = flat.nodes.at(-1)!;
  if (!parity.isNew(type.name, node)) return;
  if (isInputObjectType(type) && type.isOneOf) singleFieldFact(parity, area, type, node);
  objectFacts(parity, type, unnamedObject(flat, isObjectType(type) ? 'output' : 'input', area));
}

type Holder = GraphQLObjectType | GraphQLInputObjectType;
type Found = Field | GraphQLInputField;

/** The properties of a schema and the fields of a type. */
function objectFacts(parity: Parity, type: Holder, object: ObjectSchema): void {
  const fields: Readonly<Record<string, Found | undefined>> = type.getFields();
  const members = membersOf(parity, object, ({ name, schemas }) =>
    typeText(parity.document, schemas, object.use, fields[name]?.type),
  );
  for (const member of members) propertyFacts(parity, type, object, member, fields[member.name]);
  for (const field of Object.values(fields))
    if (field && !object.flat.properties.has(field.name) && !parity.descriptor.fields[`${type.name}.${field.name}`])
      extraFieldFact(parity, type, object, field);
}

const aspectOf = ({ use }: ObjectSchema) => (use === 'output' ? 'field' : 'input');

function propertyFacts(
  parity: Parity,
  holder: Holder,
  object: ObjectSchema,
  member: PropertyMember,
  field: Found | undefined,
): void {
  const { area } = object;
  const { name, type, given, directives, origin, schemas } = member;
  const at = (text: string | undefined) => parity.rest(text, origin.node, origin.key);
  memberFact(parity, { area, aspect: aspectOf(object), holder, found: field }, { name, type }, at(type));
  if (!field) return;
  const coordinate = `${holder.name}.${name}`;
  enumFacts(parity, area, schemas, getNamedType(field.type));
  if ('args' in field) {
    const place = { area, coordinate, field };
    deprecationFact(parity, place, directives !== undefined, at);
    // A property takes no arguments.
    if (parity.descriptor.fields[coordinate]?.kind !== 'custom') argumentFacts(parity, place, [], at);
  } else defaultFact(parity, { area, coordinate, node: field }, given, at, true);
  inlineFacts(parity, area, schemas, field.type);
}

/** A field without a property. */
function extraFieldFact(parity: Parity, type: Holder, object: ObjectSchema, field: Found): void {
  const coordinate = `${type.name}.${field.name}`;
  const rest = parity.rest(undefined, object.flat.nodes.at(-1)!);
  const graphql = parity.graphql(String(field.type), field, coordinate);
  parity.add(object.area, aspectOf(object), coordinate, rest, graphql, () => {
    const input = isInputObjectType(type) ? schemaOfInput(type.name, parity.document) : undefined;
    const isLeft = input !== undefined && isLeftover(parity, input, field.name);
    return isLeft && Object.keys(type.getFields()).length > 1 ? removeNode(field.astNode) : undefined;
  });
}

/** The values of an enum, once for each pair of enums. */
export function enumFacts(parity: Parity, area: string, schemas: readonly Schema[], type: unknown): void {
  const flat = behindLists(parity.document, schemas);
  const values = enumValues(flat);
  if (!values || !isEnumType(type) || !parity.isNew(type.name, values.join())) return;
  const { value: list, node } = flat.keywords.get('enum')!;
  for (const value of new Set([...values, ...type.getValues().map(({ name }) => name)])) {
    const found = type.getValue(value) ?? undefined;
    const coordinate = `${type.name}.${value}`;
    const rest = parity.rest(values.includes(value) ? value : undefined, node, 'enum');
    parity.add(area, 'enum', coordinate, rest, parity.graphql(found?.name, found ?? type, coordinate), () =>
      found ? addEntry(parity.draft, list as readonly unknown[], value) : addMember(type.astNode, value),
    );
  }
}

/** A `@oneOf` input has a field for each value of the discriminator. */
function oneOfFacts(parity: Parity, type: GraphQLInputObjectType, schemaName: string, node: object): void {
  const area = areaOf(parity, schemaName);
  const variants = discriminated(parity.document, schemaName);
  if (!variants) {
    singleFieldFact(parity, area, type, node);
    return;
  }
  const fields = type.getFields();
  const wanted = new Map(
    Object.entries(variants.schemas).map(([value, variant]) => {
      const written = String(fields[variantName(value)]?.type);
      const isOfVariant = schemaOfInput(written, parity.document) === variant;
      return [variantName(value), isOfVariant ? written : inputTypeName(parity.document, variant)];
    }),
  );
  for (const field of new Set([...wanted.keys(), ...Object.keys(fields)])) {
    const found = fields[field];
    const coordinate = `${type.name}.${field}`;
    const graphql = parity.graphql(found && String(found.type), found ?? type, coordinate);
    parity.add(area, 'union', coordinate, parity.rest(wanted.get(field), node, 'oneOf'), graphql, () =>
      found ? undefined : addMember(type.astNode, `${field}: ${wanted.get(field)}`),
    );
  }
}

/** A `@oneOf` input takes one field, where the object of REST takes several. */
function singleFieldFact(parity: Parity, area: string, type: GraphQLInputObjectType, node: object): void {
  const { name } = type;
  parity.add(area, 'input', name, parity.rest('object', node), parity.graphql('@oneOf', type, name));
}
