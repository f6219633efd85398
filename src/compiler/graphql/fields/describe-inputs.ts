import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import type { InputDescriptor, InputFieldDescriptor } from '../../../descriptor/graphql.ts';
import type { FlatSchema } from '../../json-schema/flat-schema.ts';
import { enumValues, propertyType } from '../../json-schema/property-type.ts';
import { acceptsNull, behindLists, schemaNamed } from '../../model/schemas.ts';
import { discriminated } from '../convention/discriminated.ts';
import { schemaOfInput, variantName } from '../convention/names.ts';
import type { OriginalNames } from './original-names.ts';

/** A type, and the schemas of the values that it stands for. */
export interface TypeUse {
  readonly type: GraphQLType;
  readonly schemas: readonly Schema[];
}

/** A type beside the schema that it stands for. */
interface Paired<T> {
  readonly type: T;
  readonly flat: FlatSchema;
}

/** The types of an SDL that stand for schemas, by name. */
export interface PairedTypes {
  readonly objects: ReadonlyMap<string, Paired<GraphQLObjectType>>;
  readonly inputs: ReadonlyMap<string, Paired<GraphQLInputObjectType>>;
  readonly enums: ReadonlyMap<string, Paired<GraphQLEnumType>>;
}

/** Finds the schema of each type: by its name, or where a field, an argument or an answer (`uses`) has one without a name. */
export function pairedTypes(schema: GraphQLSchema, document: OpenApiDocument, uses: readonly TypeUse[]): PairedTypes {
  const objects = new Map<string, Paired<GraphQLObjectType>>();
  const inputs = new Map<string, Paired<GraphQLInputObjectType>>();
  const enums = new Map<string, Paired<GraphQLEnumType>>();
  const add = (use: TypeUse): void => {
    const type = getNamedType(use.type);
    const flat = behindLists(document, use.schemas);
    if (isEnumType(type)) {
      if (enumValues(flat) && !enums.has(type.name)) enums.set(type.name, { type, flat });
      return;
    }
    if (isObjectType(type) && !objects.has(type.name)) objects.set(type.name, { type, flat });
    else if (isInputObjectType(type) && !inputs.has(type.name)) inputs.set(type.name, { type, flat });
    else return;
    for (const field of Object.values(type.getFields())) {
      const site = flat.properties.get(field.name);
      const given: GraphQLType = field.type;
      const named = getNamedType(given);
      const isAddedAlone = !isEnumType(named) && schemaOfType(named, document) !== undefined;
      if (!isAddedAlone && (site || isInputObjectType(type))) add({ type: given, schemas: site?.schemas ?? [] });
    }
  };
  for (const type of Object.values(schema.getTypeMap())) {
    const name = schemaOfType(type, document);
    if (name !== undefined) add({ type, schemas: [schemaNamed(document, name)!] });
  }
  for (const use of uses) add(use);
  return { objects, inputs, enums };
}

function schemaOfType(type: GraphQLNamedType, document: OpenApiDocument): string | undefined {
  if (isInputObjectType(type)) return schemaOfInput(type.name, document);
  return schemaNamed(document, type.name) === undefined ? undefined : type.name;
}

/** How values of the input types are translated to JSON. */
export const describeInputs = ({ inputs }: PairedTypes, names: OriginalNames): Record<string, InputDescriptor> =>
  Object.fromEntries([...inputs].map(([name, paired]) => [name, describe(paired, names)]));

function describe({ type, flat }: Paired<GraphQLInputObjectType>, names: OriginalNames): InputDescriptor {
  const { spelled: document } = names;
  const fields: Record<string, InputFieldDescriptor> = {};
  for (const field of Object.values(type.getFields())) {
    const named = getNamedType(field.type);
    const schemas = flat.properties.get(field.name)?.schemas ?? [];
    const property = names.property(flat, field.name);
    const isInteger = propertyType(behindLists(document, schemas)) === 'integer';
    fields[field.name] = {
      nullable: acceptsNull(document, schemas),
      ...(property !== field.name && { property }),
      ...(isInputObjectType(named) && { input: named.name }),
      ...(named.name === 'ID' && isInteger && { isIntegerId: true as const }),
    };
  }
  const name = type.isOneOf ? schemaOfInput(type.name, document) : undefined;
  const variants = name === undefined ? undefined : discriminated(names.document, names.schema(name));
  if (!variants) return { fields };
  const values = Object.fromEntries(Object.keys(variants.schemas).map((value) => [variantName(value), value]));
  return { fields, oneOf: { property: variants.property, values } };
}
