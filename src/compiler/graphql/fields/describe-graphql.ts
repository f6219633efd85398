import {
  GraphQLID,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { FieldDescriptor, GraphqlDescriptor, GraphqlLimits } from '../../../descriptor/graphql.ts';
import { type ResourceDescriptor, totalsOf } from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import type { FlatSchema } from '../../json-schema/flat-schema.ts';
import { valueTypes } from '../../json-schema/property-type.ts';
import { referenceParameters } from '../../model/filters/filter-parameters.ts';
import { flatSchema } from '../../model/schemas.ts';
import { fieldAt } from '../convention/directives.ts';
import { discriminated } from '../convention/discriminated.ts';
import { groupName, sortName, totalTypeNames } from '../convention/names.ts';
import type { GraphqlView } from '../names/graphql-view.ts';
import { describeInputs, type PairedTypes, pairedTypes, type TypeUse } from './describe-inputs.ts';
import { OriginalNames } from './original-names.ts';
import { FieldRecogniser } from './recognise-field.ts';

/**
 * What the fields, inputs, unions and enums of a schema mean by the conventions. They are recognised in the names of
 * GraphQL, and described in those of the document.
 */
export function describeGraphql(
  schema: GraphQLSchema,
  view: GraphqlView,
  document: OpenApiDocument,
  resources: readonly ResourceDescriptor[],
): GraphqlDescriptor {
  const names = new OriginalNames(view, document, resources);
  const recogniser = new FieldRecogniser(schema, view, names);
  const recognised = recognisedFields(schema, recogniser);
  const related = referenceFilters(schema, view);
  const types = pairedTypes(schema, view.draft.document, [...recogniser.uses, ...related]);
  const fields = { ...recognised, ...renamedProperties(types, recognised, names) };
  const enums = renamed([
    ...[...types.enums].map(([type, { flat }]) => [type, names.values(flat)] as const),
    ...totalEnums(schema, view.resources, resources),
  ]);
  const filters = renamed(view.resources.map((resource) => [resource.key, names.filters(resource)]));
  const ofReferences = Map.groupBy(related, ({ resource }) => resource);
  return {
    limits: limitsOf(schema),
    types: Object.fromEntries(
      view.resources.filter(({ name }) => schema.getType(name)).map(({ name, key }) => [name, key]),
    ),
    fields,
    inputs: describeInputs(types, names),
    unions: describeUnions(schema, document, names),
    sorts: describeSorts(schema, view.resources, resources, fields),
    ...(enums && { enums }),
    ...(filters && { filters }),
    ...(related.length > 0 && {
      referenceFilters: Object.fromEntries(
        [...ofReferences].map(([key, fields]) => [
          key,
          Object.fromEntries(fields.map(({ field, type }) => [field, type.name])),
        ]),
      ),
    }),
  };
}

type Fields = Readonly<Record<string, FieldDescriptor>>;

function recognisedFields(schema: GraphQLSchema, recogniser: FieldRecogniser): Fields {
  const fields: Record<string, FieldDescriptor> = {};
  for (const type of objectTypes(schema)) {
    for (const field of Object.values(type.getFields())) {
      const descriptor = recogniser.recognise(type, field);
      if (descriptor) fields[`${type.name}.${field.name}`] = descriptor;
    }
  }
  return fields;
}

/** The fields that are properties under another name. */
function renamedProperties({ objects }: PairedTypes, recognised: Fields, names: OriginalNames): Fields {
  const fields: Record<string, FieldDescriptor> = {};
  for (const { type, flat } of objects.values()) {
    for (const field of Object.values(type.getFields())) {
      const coordinate = `${type.name}.${field.name}`;
      const property = names.property(flat, field.name);
      if (recognised[coordinate] || property === field.name) continue;
      const isIntegerId = getNullableType(field.type) === GraphQLID && isInteger(flat, field.name, names);
      fields[coordinate] = { kind: 'property', property, ...(isIntegerId && { isIntegerId }) };
    }
  }
  return fields;
}

function isInteger({ properties }: FlatSchema, name: string, { spelled }: OriginalNames): boolean {
  const schemas = properties.get(name)?.schemas ?? [];
  return valueTypes(flatSchema(spelled, ...schemas)).includes('integer');
}

/** Undefined where nothing is renamed. */
function renamed(
  entries: readonly (readonly [string, Readonly<Record<string, string>>])[],
): Readonly<Record<string, Readonly<Record<string, string>>>> | undefined {
  const different = entries.filter(([, names]) => Object.keys(names).length > 0);
  return different.length > 0 ? Object.fromEntries(different) : undefined;
}

function objectTypes(schema: GraphQLSchema): GraphQLObjectType[] {
  return Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith('__'),
  ) as GraphQLObjectType[];
}

/** The limits of `@limits`, or its defaults. */
function limitsOf(schema: GraphQLSchema): GraphqlLimits {
  const definition = schema.getDirective('limits')!;
  const written = schema.astNode && getDirectiveValues(definition, schema.astNode);
  const defaults = Object.fromEntries(definition.args.map(({ name, defaultValue }) => [name, defaultValue]));
  return { ...defaults, ...written } as unknown as GraphqlLimits;
}

/**
 * How the types of each union are distinguished: by the discriminator of the schema that the union stands for, in the names of
 * the document.
 */
function describeUnions(
  schema: GraphQLSchema,
  document: OpenApiDocument,
  names: Pick<OriginalNames, 'schema' | 'type'>,
): GraphqlDescriptor['unions'] {
  const unions: Record<string, GraphqlDescriptor['unions'][string]> = {};
  for (const type of Object.values(schema.getTypeMap())) {
    const variants = isUnionType(type) ? discriminated(document, names.schema(type.name)) : undefined;
    if (!variants) continue;
    const types = Object.entries(variants.schemas).map(([value, variant]) => [value, names.type(variant)]);
    unions[type.name] = { property: variants.property, types: Object.fromEntries(types) };
  }
  return unions;
}

/** The REST values of the enums of totals. `originals`: the resources in the document's names. */
function totalEnums(
  schema: GraphQLSchema,
  resources: readonly ResourceDescriptor[],
  originals: readonly ResourceDescriptor[],
) {
  const paired = (names: readonly string[], values: readonly string[], nameOf: (name: string) => string) =>
    Object.fromEntries(names.map((name, i) => [nameOf(name), values[i] ?? name]));
  const known = originals.flatMap((resource) => totalsOf(resource));
  return resources.flatMap((resource) =>
    totalsOf(resource).flatMap((own) => {
      const original = operationWithId(known, own.operationId);
      const { group, sort } = totalTypeNames(resource.name);
      const enums = [
        [group, paired(own.groups, original.groups, groupName)] as const,
        [sort, paired(own.sorts, original.sorts, sortName)] as const,
      ];
      return enums.filter(([name]) => schema.getType(name));
    }),
  );
}

/** The REST values of each sort enum. `resources` are in GraphQL's names, `originals` in the document's, in the same order. */
function describeSorts(
  schema: GraphQLSchema,
  resources: readonly ResourceDescriptor[],
  originals: readonly ResourceDescriptor[],
  fields: Readonly<Record<string, FieldDescriptor>>,
): GraphqlDescriptor['sorts'] {
  const sorts: Record<string, Record<string, string>> = {};
  for (const [coordinate, field] of Object.entries(fields)) {
    if (field.kind !== 'list' && field.kind !== 'connection') continue;
    const type = sortType(schema, coordinate);
    const values = originals.find(({ key }) => key === field.resource)?.list?.sorts ?? [];
    const named = resources.find(({ key }) => key === field.resource)?.list?.sorts ?? [];
    if (type) sorts[type] = Object.fromEntries(named.map(({ value }, i) => [sortName(value), values[i]!.value]));
  }
  return sorts;
}

function sortType(schema: GraphQLSchema, coordinate: string): string | undefined {
  const argument = fieldAt(schema, coordinate)?.args.find(({ name }) => name === 'sort');
  const named = argument && getNamedType(argument.type);
  return isEnumType(named) ? named.name : undefined;
}

/** A field of a filter that is named for a reference, its input type, and the schemas of its values. */
interface ReferenceFilter extends TypeUse {
  readonly type: GraphQLInputObjectType;
  /** Key of the resource that is listed. */
  readonly resource: string;
  readonly field: string;
}

/** The fields that stand for parameters named for references, of lists without the parameter `filter`. */
function referenceFilters(schema: GraphQLSchema, { draft }: GraphqlView): readonly ReferenceFilter[] {
  return draft.resources.flatMap((resource) => {
    const { list } = resource.operations;
    const filter = schema.getType(`${resource.name}Filter`);
    if (!list || !isInputObjectType(filter)) return [];
    return referenceParameters(list, resource.schema).flatMap((parameter) => {
      const field = filter.getFields()[parameter.name];
      const type = field && getNamedType(field.type);
      if (!isInputObjectType(type)) return [];
      const use = { type: type as GraphQLInputObjectType, schemas: [parameter.schema ?? true] };
      return [{ resource: resource.key, field: parameter.name, ...use }];
    });
  });
}
