import { type GraphQLObjectType, isObjectType } from 'graphql';
import type { ContractSide } from '../../compiler/graphql/convention/contract-side.ts';
import { isRestAbsent } from '../../compiler/graphql/convention/directives.ts';
import { describeGraphql } from '../../compiler/graphql/fields/describe-graphql.ts';
import { ancestorParameters } from '../../compiler/graphql/fields/names.ts';
import { unchangedView } from '../../compiler/graphql/names/graphql-view.ts';
import { kebabCase, lowerFirst, upperFirst } from '../../compiler/model/naming.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { customPathItem, type OperationRoute, type OperationSite } from './custom-path-item.ts';
import type { OpenDocument } from './list-parameters.ts';
import type { SchemaDeriver } from './schemas-of-types.ts';
import { throughSites } from './through-sites.ts';

/**
 * Adds to a document the operations that fields of its SDL name with `@operation` and it lacks. Resolves with sentences: on the
 * paths that were chosen, on operations whose path does not follow, and on custom fields that name no operation.
 */
export async function syncOperations(
  side: ContractSide,
  { writer }: OpenDocument,
  deriver: SchemaDeriver,
): Promise<readonly string[]> {
  const gaps: string[] = [];
  for (const site of customSites(side)) {
    const coordinate = `${site.type.name}.${site.field.name}`;
    const route = routeOf(side, site);
    if (!site.isNamed) {
      gaps.push(
        `whether REST has \`${coordinate}\`: write \`@operation(id: "${site.operationId}")\` on it, or \`@parity(rest: ABSENT, because: "…")\`.`,
      );
    } else if (!route || side.draft.paths.some(({ path }) => path === route.path)) {
      gaps.push(
        `where \`${site.operationId}\` is served: \`${coordinate}\` does not say it; add its path to the document.`,
      );
    } else {
      const item = customPathItem(side, site, route, deriver);
      for (const name of deriver.schemas.keys()) writer.plan('schemas', name);
      await writer.addPath(route.path, kebabCase(site.operationId), item);
      gaps.push(`whether \`${site.method.toUpperCase()} ${route.path}\` is the place for \`${site.operationId}\`.`);
    }
  }
  return gaps;
}

/** The custom fields that have no operation, unless they are said to have none. */
function customSites(side: ContractSide): readonly OperationSite[] {
  const { schema, resources, document, operations, draft } = side;
  const known = new Set(operations.map(({ operationId }) => operationId));
  const joined = new Set(throughSites(side).map(({ field }) => field));
  const { fields } = describeGraphql(schema!, unchangedView(draft, resources), document, resources);
  return Object.entries(fields).flatMap(([coordinate, descriptor]): OperationSite[] => {
    if (descriptor.kind !== 'custom' || known.has(descriptor.operationId ?? '')) return [];
    const [typeName, fieldName] = coordinate.split('.') as [string, string];
    const type = schema!.getType(typeName) as GraphQLObjectType;
    const field = type.getFields()[fieldName]!;
    if (isRestAbsent(schema!, field) || joined.has(field) || type === schema!.getSubscriptionType()) return [];
    const { operationId = defaultId(schema!.getQueryType() === type, isRoot(schema!, type), typeName, fieldName) } =
      descriptor;
    const method = type === schema!.getMutationType() ? 'post' : 'get';
    return [{ type, field, method, operationId, isNamed: descriptor.operationId !== undefined }];
  });
}

const isRoot = (schema: NonNullable<ContractSide['schema']>, type: GraphQLObjectType): boolean =>
  [schema.getQueryType(), schema.getMutationType()].includes(type);

/** `getBookAvailability`, `lendBook` */
const defaultId = (isQuery: boolean, isAtRoot: boolean, type: string, field: string): string =>
  isAtRoot && !isQuery ? field : `get${isAtRoot ? '' : type}${upperFirst(field)}`;

/**
 * The path that a field's name and arguments say: below a resource for a field of its type, and for one that takes its id and has
 * its name (`lendBook(id:)` is `/books/{bookId}/lend`), else one at the top. Undefined where the ids of ancestors are missing.
 */
function routeOf(side: ContractSide, { type, field, method }: OperationSite): OperationRoute | undefined {
  const { schema, resources } = side;
  const own =
    isObjectType(type) && !isRoot(schema!, type) ? resources.find(({ name }) => name === type.name) : undefined;
  if (own)
    return {
      path: `${own.path}/{${own.idParameter}}/${kebabCase(field.name)}`,
      taken: new Map(),
      given: pathParameters(own),
    };
  if (!isRoot(schema!, type)) return undefined;
  const has = (name: string): boolean => field.args.some((one) => one.name === name);
  const found = named(resources, field.name).find(({ idParameter }) => has('id') || has(idParameter));
  if (!found) return has('id') ? undefined : { path: `/${kebabCase(field.name)}`, taken: new Map(), given: [] };
  const id = has(found.idParameter) ? found.idParameter : 'id';
  const ancestors = ancestorParameters(found);
  if (!ancestors.every(has)) return undefined;
  const rest = lowerFirst(field.name.replace(new RegExp(`^get|${found.name}|^${lowerFirst(found.name)}`, 'g'), ''));
  const segment = rest === '' ? method : kebabCase(rest);
  const taken = new Map([...ancestors.map((name) => [name, name] as const), [id, found.idParameter]]);
  return { path: `${found.path}/{${found.idParameter}}/${segment}`, taken, given: pathParameters(found) };
}

const pathParameters = (resource: ResourceDescriptor): readonly string[] => [
  ...ancestorParameters(resource),
  resource.idParameter,
];

/** The resources whose name a field's name contains; the longest name first. */
const named = (resources: readonly ResourceDescriptor[], field: string): readonly ResourceDescriptor[] =>
  resources.filter(({ name }) => upperFirst(field).includes(name)).toSorted((a, b) => b.name.length - a.name.length);
