import { isDeepStrictEqual } from 'node:util';
import { conventionNames } from '../../../descriptor/convention-names.ts';
import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { schemaNameOf } from '../../../descriptor/references.ts';
import type { PropertyType } from '../../../descriptor/resource.ts';
import { type Measure, type Period, totalNamesOf } from '../../../descriptor/totals.ts';
import { enumValues, propertyType } from '../../json-schema/property-type.ts';
import type { ObjectDraft, OperationDraft, PropertyDraft, ResourceDraft, TotalsDraft } from '../draft.ts';
import { pathShape } from '../naming.ts';
import { jsonContent } from '../responses.ts';
import { flatSchema } from '../schemas.ts';
import { type FurtherFault, faultOf, type ReadFurther, unknownResource } from './further-fault.ts';
import {
  isCommaSeparated,
  itemSchema,
  PAGING_PARAMETERS,
  pagingParameter,
  parameterSchema,
  TOTALS,
} from './list-parameters.ts';
import { objectDraft } from './object-draft.ts';
import { queryOf } from './read-throughs.ts';

const DEFAULT_MAX_ROWS = 100_000;
/** The most groups that an answer may have. */
const MAX_GROUPS = 1000;

interface Named {
  readonly resource: string;
  readonly maxRows: number;
}

/** The operations that answer totals, those with faults included. */
export const readTotals = (
  document: OpenApiDocument,
  operations: readonly OperationDraft[],
  resources: readonly ResourceDraft[],
): readonly ReadFurther<TotalsDraft>[] =>
  operations.flatMap((operation) => {
    const named = namedBy(operation.node);
    return named ? [{ operation, ...read(document, operation, named, resources) }] : [];
  });

/** What `x-totals` says; undefined where it is missing, or of a shape that another rule reports. */
function namedBy(node: object): Named | undefined {
  const value: unknown = (node as Readonly<Record<string, unknown>>)[TOTALS];
  if (typeof value === 'string') return { resource: value, maxRows: DEFAULT_MAX_ROWS };
  const { resource, maxRows = DEFAULT_MAX_ROWS } = Object(value) as Partial<Named>;
  return typeof resource === 'string' && typeof maxRows === 'number' ? { resource, maxRows } : undefined;
}

function read(
  document: OpenApiDocument,
  operation: OperationDraft,
  { resource: name, maxRows }: Named,
  resources: readonly ResourceDraft[],
): Omit<ReadFurther<TotalsDraft>, 'operation'> {
  const id = `\`${operation.operationId}\``;
  const resource = resources.find((one) => one.name === name);
  if (!resource) return { faults: [unknownResource(operation, TOTALS, 'has totals of', name, resources)] };
  const { list } = resource.operations;
  if (operation.method !== 'get' || operation.shape !== pathShape(`${resource.path}/totals`) || !list) {
    const hint = `Totals of \`${name}\` are \`GET ${resource.path}/totals\`, beside \`GET ${resource.path}\`.`;
    return { faults: [faultOf(TOTALS, `${id} has \`x-totals\`, but is not below the list of \`${name}\`.`, hint)] };
  }
  const page = pageOf(document, operation, resource);
  const names = {
    groups: namesAsked(document, operation, conventionNames(resource.nameCase).groupBy),
    measures: namesAsked(document, operation, 'measures'),
    sorts: namesAsked(document, operation, 'sort'),
  };
  const faults = [
    ...parameterFaults(document, operation, resource, names, list),
    ...(page ? groupFaults(page.group, resource, names) : [pageFault(operation, resource)]),
  ];
  if (!page || faults.length > 0) return { resource, faults };
  const schemas = { group: page.group.name, page: page.name };
  const defaultLimit = Number(keywordOf(document, operation, 'limit', 'default'));
  return {
    resource,
    faults,
    further: { kind: 'totals', action: 'totals', operation, maxRows, ...names, defaultLimit, schemas },
  };
}

type Names = Pick<TotalsDraft, 'groups' | 'measures' | 'sorts'>;

function keywordOf(document: OpenApiDocument, operation: OperationDraft, name: string, keyword: string): unknown {
  const parameter = pagingParameter(operation, name);
  return parameter && parameterSchema(document, parameter).keywords.get(keyword)?.value;
}

/** The names that a parameter offers, a list of an enum. */
function namesAsked(document: OpenApiDocument, operation: OperationDraft, name: string): readonly string[] {
  const parameter = pagingParameter(operation, name);
  return (parameter && enumValues(itemSchema(document, parameterSchema(document, parameter)))) ?? [];
}

/** The parameters of totals that the list does not have, by their names in camelCase. */
const OWN_PARAMETERS = ['groupBy', 'measures', 'sort', 'limit', 'timeZone'] as const;

function parameterFaults(
  document: OpenApiDocument,
  operation: OperationDraft,
  resource: ResourceDraft,
  { groups, measures, sorts }: Names,
  list: OperationDraft,
): readonly FurtherFault[] {
  const names = conventionNames(resource.nameCase);
  const { groupBy, timeZone } = names;
  const own: readonly string[] = OWN_PARAMETERS.map((name) => (name in names ? names[name as 'groupBy'] : name));
  const known = totalNamesOf({ ...resource, properties: [...resource.schema.properties.values()] });
  const faults: FurtherFault[] = [];
  const fault = (name: string, message: string, hint: string, unknown?: FurtherFault['unknown']): void => {
    const place = pagingParameter(operation, name);
    faults.push({ key: 'parameters', message, hint, ...(place && { node: place }), ...(unknown && { unknown }) });
  };
  const id = `\`${operation.operationId}\``;
  for (const name of [groupBy, 'measures', 'sort']) {
    const parameter = pagingParameter(operation, name);
    if (!parameter && name !== 'measures') continue;
    if (!parameter || !isCommaSeparated(parameter) || namesAsked(document, operation, name).length === 0)
      fault(
        name,
        `\`${name}\` of ${id} is not a comma-separated array of an enum.`,
        `Write \`{ name: ${name}, in: query, explode: false, schema: { type: array, items: { type: string, enum: [${name === groupBy ? [...known.groups.keys()][0] : 'count'}] } } }\`.`,
      );
  }
  const refuse = (name: string, asked: readonly string[], offered: readonly string[], kind: string): void => {
    for (const one of asked.filter((value) => !offered.includes(value)))
      fault(name, `\`${name}\` of ${id} names \`${one}\`, which is not ${kind}.`, 'Name one of these.', {
        name: one,
        known: offered,
      });
  };
  refuse(groupBy, groups, [...known.groups.keys()], `a group of \`${resource.name}\``);
  refuse('measures', measures, [...known.measures.keys()], `a measure of \`${resource.name}\``);
  const keys = sorts.map((value) => value.replace(/^-/, ''));
  refuse('sort', keys, [...groups, ...measures], 'among its groups and measures');
  for (const name of groups.filter((one) => measures.includes(one)))
    fault(groupBy, `${id} has a group and a measure \`${name}\`.`, 'Offer one of them: an answer has each name once.');
  const bound = (keyword: string): number => Number(keywordOf(document, operation, 'limit', keyword));
  const [minimum, most, given] = [bound('minimum'), bound('maximum'), bound('default')];
  if (!(minimum === 1 && most >= given && given >= 1 && most <= MAX_GROUPS))
    fault(
      'limit',
      `\`limit\` of ${id} does not bound the number of groups.`,
      `Write \`{ name: limit, in: query, schema: { type: integer, minimum: 1, maximum: ${MAX_GROUPS}, default: 100 } }\`.`,
    );
  const zone = pagingParameter(operation, timeZone);
  if (zone && propertyType(parameterSchema(document, zone)) !== 'string')
    fault(timeZone, `\`${timeZone}\` of ${id} is not a text.`, 'Write `schema: { type: string, default: UTC }`.');
  const filters = (of: OperationDraft, besides: readonly string[]): ReadonlyMap<string, object> =>
    new Map([...queryOf(of)].filter(([name]) => !besides.includes(name)));
  const [asked, listed] = [filters(operation, own), filters(list, PAGING_PARAMETERS)];
  const differing = [...new Set([...asked.keys(), ...listed.keys()])].filter(
    (name) => !isDeepStrictEqual(asked.get(name), listed.get(name)),
  );
  const [first] = differing;
  if (first !== undefined)
    fault(
      first,
      `${id} and \`${list.operationId}\` differ in filters: ${differing.map((name) => `\`${name}\``).join(', ')}.`,
      'Give both the same filters and search.',
    );
  return faults;
}

/** The schema of the answer, and that of its groups. */
function pageOf(document: OpenApiDocument, operation: OperationDraft, { nameCase }: ResourceDraft) {
  const schema = jsonContent(operation.responses.get('200'))?.schema;
  const name = schemaNameOf(schema);
  if (schema === undefined || name === undefined) return undefined;
  const { properties, required } = flatSchema(document, schema);
  const more = conventionNames(nameCase).hasMore;
  const flatOf = (property: string) => flatSchema(document, ...(properties.get(property)?.schemas ?? []));
  const items = flatOf('data').keywords.get('items')?.value as Schema | undefined;
  const group = schemaNameOf(items);
  const isWhole = ['data', more].every((one) => properties.has(one) && required.has(one)) && properties.size === 2;
  if (!isWhole || group === undefined || propertyType(flatOf(more)) !== 'boolean') return undefined;
  const draft = objectDraft(document, group);
  return draft && { name, group: draft };
}

function pageFault({ operationId }: OperationDraft, { name, nameCase }: ResourceDraft): FurtherFault {
  return {
    key: 'responses',
    message: `\`${operationId}\` does not answer a page of totals.`,
    hint: `Return a schema \`${name}TotalPage\` with 200, which requires \`data\`, an array of \`${name}Total\`, and a boolean \`${conventionNames(nameCase).hasMore}\`.`,
  };
}

/** What is wrong with the properties of a group. */
function groupFaults(group: ObjectDraft, resource: ResourceDraft, names: Names): readonly FurtherFault[] {
  const expected = typesOfTotals(resource, names);
  const fault = (message: string, hint: string): FurtherFault => ({
    key: 'responses',
    message,
    hint,
    node: group.node,
  });
  const faults: FurtherFault[] = [];
  for (const name of new Set([...expected.keys(), ...group.properties.keys()])) {
    const [wanted, found] = [expected.get(name), group.properties.get(name)];
    const at = `\`${group.name}.${name}\``;
    if (!wanted)
      faults.push(fault(`${at} is neither a group nor a measure.`, 'Offer it by a parameter, or remove it.'));
    else if (!found) faults.push(fault(`${at} is missing.`, `Write \`${name}: ${exampleOf(wanted)}\`.`));
    else if (found.type !== wanted.type || (wanted.nullable && !found.flat.nullable))
      faults.push(fault(`${at} has another type than its values.`, `Write \`${name}: ${exampleOf(wanted)}\`.`));
    else if (found.required) faults.push(fault(`${at} is required.`, 'A group has the names that were asked for.'));
  }
  return faults;
}

/** The type of a value of totals. */
export interface TotalType {
  readonly type: PropertyType;
  readonly nullable: boolean;
  /** The property that has the same values. */
  readonly property?: PropertyDraft;
}

/** The types of the groups and measures of a resource with these names. */
export function typesOfTotals(
  resource: ResourceDraft,
  { groups, measures }: Pick<Names, 'groups' | 'measures'>,
): ReadonlyMap<string, TotalType> {
  const { properties } = resource.schema;
  const known = totalNamesOf({ ...resource, properties: [...properties.values()] });
  const isNullable = ({ flat, required }: PropertyDraft): boolean => flat.nullable || !required;
  const found = new Map<string, TotalType>();
  for (const name of measures) {
    const measure = known.measures.get(name);
    if (measure)
      found.set(
        name,
        measureType(measure, measure.property === undefined ? undefined : properties.get(measure.property)),
      );
  }
  for (const name of groups) {
    const { property: of, period } = known.groups.get(name) ?? {};
    const property = of === undefined ? undefined : properties.get(of);
    if (!property) continue;
    const nullable = isNullable(property);
    found.set(name, period ? { type: periodType(period), nullable } : { type: property.type, nullable, property });
  }
  return found;
}

const periodType = (period: Period): PropertyType => (period === 'Hour' ? 'date-time' : 'date');

function measureType({ of }: Measure, property: PropertyDraft | undefined): TotalType {
  if (of === 'Count' || of === 'Distinct' || !property) return { type: 'integer', nullable: false };
  if (of === 'Sum' || of === 'Avg') return { type: 'decimal', nullable: true };
  return { type: property.type, nullable: true };
}

/** A schema of a type, as YAML. */
function exampleOf({ type, nullable }: TotalType): string {
  const [json, format] = SCHEMA_TYPES[type] ?? [type];
  const text = nullable ? `[${json}, 'null']` : json;
  const minimum = type === 'integer' && !nullable ? ', minimum: 0' : '';
  return `{ type: ${text}${format ? `, format: ${format}` : ''}${minimum} }`;
}

const SCHEMA_TYPES: { readonly [T in PropertyType]?: readonly [json: string, format: string] } = {
  uuid: ['string', 'uuid'],
  int64: ['string', 'int64'],
  decimal: ['string', 'decimal'],
  date: ['string', 'date'],
  'date-time': ['string', 'date-time'],
};

/** The schema of a value of totals. */
export function schemaOfTotal({ type, nullable }: TotalType): Readonly<Record<string, unknown>> {
  const [json, format] = SCHEMA_TYPES[type] ?? [type];
  return {
    type: nullable ? [json, 'null'] : json,
    ...(format !== undefined && { format }),
    ...(type === 'integer' && !nullable && { minimum: 0, maximum: 2147483647 }),
  };
}
