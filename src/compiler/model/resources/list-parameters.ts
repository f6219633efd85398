import type { OpenApiDocument, Parameter, Schema } from '../../../descriptor/document.ts';
import type { FilterDescriptor, FilterOperator, ListDescriptor, SortDescriptor } from '../../../descriptor/resource.ts';
import type { FlatSchema } from '../../json-schema/flat-schema.ts';
import { enumValues } from '../../json-schema/property-type.ts';
import { type ContractDraft, type ObjectDraft, type OperationDraft, rolesOf } from '../draft.ts';
import { conditionParameter, isConditionParameter, referenceParameters } from '../filters/filter-parameters.ts';
import { flatSchema } from '../schemas.ts';

export const FILTER_OPERATORS: readonly string[] = [
  'eq',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
] satisfies FilterOperator[];

export const PAGING_PARAMETERS = ['limit', 'cursor', 'sort', 'count'];
const DEFAULT_LIMIT = 20;

/** The extension of an operation that answers totals: `x-totals: Order`. */
export const TOTALS = 'x-totals';
/** The parameters of totals that name values made of properties. */
const MEASURED = ['groupBy', 'group_by', 'measures'];

/** The parameter by which a request names related rows, where its resource has no property of that name. */
export const INCLUDE_PARAMETER = 'include';

/** Whether a parameter of a resource's operation names related rows. */
export const isInclude = ({ in: place, name }: Parameter, { flat }: Pick<ObjectDraft, 'flat'>): boolean =>
  place === 'query' && name === INCLUDE_PARAMETER && !flat.properties.has(name);

/** The parameter by which a list is searched, where its schema has `x-search`. */
export const SEARCH_PARAMETER = 'search';

/** The properties that `x-search` names. */
export function searchedProperties({ flat }: Pick<ObjectDraft, 'flat'>): readonly string[] | undefined {
  const declared = searchedList(flat);
  return Array.isArray(declared) ? declared.map(String) : undefined;
}

/** The list of properties in `x-search`, which may be an object around it. */
export function searchedList(flat: FlatSchema): unknown {
  const declared = flat.keywords.get('x-search')?.value as { readonly properties?: unknown } | undefined;
  return Array.isArray(declared) ? declared : declared?.properties;
}

/** The language that `x-search` names. */
export function searchLanguage({ flat }: Pick<ObjectDraft, 'flat'>): string | undefined {
  const { language } = Object(flat.keywords.get('x-search')?.value) as { readonly language?: unknown };
  return typeof language === 'string' ? language : undefined;
}

/**
 * The query parameters of a list of this schema that filter it by a property: all but those for paging, order, search and
 * related rows, the one for conditions, and those named for references.
 */
export function filterParameters(list: OperationDraft, schema: Pick<ObjectDraft, 'flat'>): readonly Parameter[] {
  const others = searchedProperties(schema) ? [...PAGING_PARAMETERS, SEARCH_PARAMETER] : PAGING_PARAMETERS;
  const related = referenceParameters(list, schema);
  return list.parameters.filter(
    (parameter) =>
      parameter.in === 'query' &&
      !others.includes(parameter.name) &&
      !isConditionParameter(parameter) &&
      !isInclude(parameter, schema) &&
      !related.includes(parameter),
  );
}

export function pagingParameter(list: OperationDraft, name: string): Parameter | undefined {
  return list.parameters.find((parameter) => parameter.in === 'query' && parameter.name === name);
}

export function parameterSchema(document: OpenApiDocument, parameter: Pick<Parameter, 'schema'>): FlatSchema {
  return flatSchema(document, parameter.schema ?? true);
}

/** The schema of an array's items. */
export function itemSchema(document: OpenApiDocument, array: FlatSchema): FlatSchema {
  return flatSchema(document, (array.keywords.get('items')?.value ?? true) as Schema);
}

/** How a filter parameter carries its value. */
export function filterShape(document: OpenApiDocument, parameter: Parameter): FilterDescriptor['shape'] {
  const type = parameterSchema(document, parameter).keywords.get('type')?.value;
  if (type === 'array') return 'in';
  return parameter.style === 'deepObject' || type === 'object' ? 'object' : 'eq';
}

/** Comma-separated: `style: form` without `explode` (OpenAPI 3.1, 4.8.12.2). */
export const isCommaSeparated = ({ style = 'form', explode }: Parameter): boolean =>
  style === 'form' && explode === false;

/** The values that a parameter of several accepts, such as `sort` and `include`. */
export function offeredValues(document: OpenApiDocument, parameter: Pick<Parameter, 'schema'>): readonly string[] {
  return enumValues(itemSchema(document, parameterSchema(document, parameter))) ?? [];
}

/**
 * The schemas of `sort`, of `include`, of groups and measures, and of their items: their enum values name properties, those of
 * `include` several with dots between them.
 */
export function sortSchemas({
  document,
  operations,
  resources,
}: Pick<ContractDraft, 'document' | 'operations' | 'resources'>): ReadonlyMap<object, 'name' | 'path'> {
  const sorts = operations.flatMap(({ parameters, node }) =>
    parameters.filter(({ name }) => name === 'sort' || (TOTALS in node && MEASURED.includes(name))),
  );
  const includes = resources.flatMap((resource) =>
    rolesOf(resource).flatMap(({ operation }) => operation.parameters.filter((one) => isInclude(one, resource.schema))),
  );
  const nodesOf = (parameter: Parameter): readonly object[] => {
    const schema = parameterSchema(document, parameter);
    return [...schema.nodes, ...itemSchema(document, schema).nodes];
  };
  return new Map([
    ...sorts.flatMap(nodesOf).map((node) => [node, 'name'] as const),
    ...includes.flatMap(nodesOf).map((node) => [node, 'path'] as const),
  ]);
}

export function sortDescriptor(value: string): SortDescriptor {
  const descending = value.startsWith('-');
  return { value, property: descending ? value.slice(1) : value, direction: descending ? 'desc' : 'asc' };
}

/** The descriptor of a list operation, which has passed the rules. */
export function listDescriptor(document: OpenApiDocument, list: OperationDraft, schema: ObjectDraft): ListDescriptor {
  const limit = pagingParameter(list, 'limit');
  const limitSchema = limit && parameterSchema(document, limit);
  const maximumLimit = Number(limitSchema?.keywords.get('maximum')?.value);
  const sort = pagingParameter(list, 'sort');
  const search = searchedProperties(schema);
  const language = searchLanguage(schema);
  const filter = conditionParameter(list)?.schema;
  const related = referenceParameters(list, schema).map(({ name }) => name);
  return {
    defaultLimit: Number(limitSchema?.keywords.get('default')?.value ?? Math.min(DEFAULT_LIMIT, maximumLimit)),
    maximumLimit,
    filters: filterParameters(list, schema).map((parameter) => filterDescriptor(document, parameter)),
    ...(filter !== undefined && { filter }),
    ...(related.length > 0 && { referenceFilters: related }),
    ...(search && pagingParameter(list, SEARCH_PARAMETER) && { search, ...(language && { searchLanguage: language }) }),
    sorts: sort === undefined ? [] : offeredValues(document, sort).map(sortDescriptor),
    defaultSort: sort === undefined ? [] : defaultSort(document, sort),
  };
}

function filterDescriptor(document: OpenApiDocument, parameter: Parameter): FilterDescriptor {
  const shape = filterShape(document, parameter);
  return {
    parameter: parameter.name,
    property: parameter.name,
    shape,
    operators: operators(document, parameter, shape),
  };
}

function operators(
  document: OpenApiDocument,
  parameter: Parameter,
  shape: FilterDescriptor['shape'],
): readonly FilterOperator[] {
  if (shape !== 'object') return [shape];
  return [...parameterSchema(document, parameter).properties.keys()] as FilterOperator[];
}

export function defaultSort(document: OpenApiDocument, sort: Parameter): readonly string[] {
  const value = parameterSchema(document, sort).keywords.get('default')?.value;
  return value === undefined ? [] : [value].flat().map(String);
}
