import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { GraphqlDescriptor, ParamArguments } from '../../descriptor/graphql.ts';
import { nameOfFurther, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { graphqlSpelling } from '../graphql/names/graphql-view.ts';
import type { ContractModel } from '../model/model.ts';
import { rowTypeOf } from '../model/naming.ts';
import { namedSchemas } from '../model/schemas.ts';
import { fromBelow } from './folder/library.ts';
import { keyType, parameterTypes } from './parameter-types.ts';
import { HEADER, key, quote } from './print.ts';
import { renamedObjects } from './renamed-objects.ts';

/**
 * `types/resources.ts`: the types of each resource, and of the rows that GraphQL's object types stand for.
 * It imports neither handlers nor resolvers, so that both can import it.
 */
export function emitResourceTypes(
  { document, operations, resources, graphql }: ContractModel,
  library: string,
): string {
  const declared = operations.map(
    ({ operationId, errorCodes }) =>
      `  readonly ${key(operationId)}: ${errorCodes.map(quote).join(' | ') || 'never'};\n`,
  );
  const given = argumentsByResource(graphql?.descriptor);
  return `${HEADER}import type { Answered, Sent } from '${fromBelow(1, library)}';
import type { components, operations } from './openapi.ts';

type Schemas = components['schemas'];
type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

/** The error codes that each operation declares. */
export interface DeclaredCodes {
${declared.join('')}}

/** The types of each resource, by key. */
export interface Resources {
${resources.map((resource) => resourceTypes(resource, resources, given.get(resource.key) ?? {})).join('')}}
${graphql ? rowTypes(graphql.descriptor) + objectTypes(graphql.descriptor, document) + enumTypes(graphql.descriptor) : ''}`;
}

/** The query of a list for code, which reads related rows itself. */
function queryType({ actions: { list }, includes, properties }: ResourceDescriptor): string {
  if (!list) return 'object';
  const query = `QueryOf<${quote(list.operationId)}>`;
  return includes && !properties.some(({ name }) => name === 'include') ? `Omit<${query}, 'include'>` : query;
}

function resourceTypes(
  described: ResourceDescriptor,
  resources: readonly ResourceDescriptor[],
  given: ParamArguments,
): string {
  const { key: name, nameCase, properties, actions, list, schemas, tenant, includes = {} } = described;
  const server = properties.filter(({ origin }) => origin === 'server').map((property) => quote(property.name));
  const included = Object.keys(includes).map(quote).join(' | ');
  const resource = `Answered<Schemas['${schemas.resource}']${included && `, ${included}`}>`;
  return `  readonly ${key(name)}: {
    readonly resource: ${resource};
    readonly input: ${sent(schemas.input)};
    readonly patch: ${sent(schemas.patch)};
    readonly server: ${server.length === 0 ? 'object' : `Pick<${resource}, ${server.join(' | ')}>`};
    readonly query: ${queryType(described)};
    readonly params: ${params(described, resources)};${relatedTypes(described)}${argumentsType(described, resources, given)}
    readonly actions: ${Object.keys(actions).map(quote).join(' | ')};
    readonly codes: { ${codes(actions)} };${actions.replace?.creates ? '\n    readonly creates: true;' : ''}${keyTypes(described)}${nameCase ? `\n    readonly nameCase: ${quote(nameCase)};` : ''}${list?.pagesBack ? '\n    readonly pagesBack: true;' : ''}${list?.countBound === undefined ? '' : '\n    readonly countIsBounded: true;'}${tenant ? `\n    readonly tenant: ${resource}[${quote(tenant.property)}];` : ''}
  };
`;
}

/** What one is named by, where it is not the id, and the further operations. */
function keyTypes(described: ResourceDescriptor): string {
  const { keyProperty, further = [] } = described;
  const own =
    keyProperty === undefined
      ? ''
      : `\n    readonly key: { readonly ${key(keyProperty)}: ${keyType(described, keyProperty)} };`;
  const byAction = [...Map.groupBy(further, ({ action }) => action)].map(
    ([action, all]) =>
      `readonly ${action}: { ${all.map((one) => `readonly ${key(nameOfFurther(one))}: true`).join('; ')} }`,
  );
  return own + (byAction.length === 0 ? '' : `\n    readonly further: { ${byAction.join('; ')} };`);
}

/** The codes that the operation of each action declares. */
const codes = (actions: ResourceDescriptor['actions']): string =>
  Object.entries(actions)
    .map(([action, { operationId }]) => `readonly ${action}: DeclaredCodes[${quote(operationId)}]`)
    .join('; ');

/** What filters may go to: one row, or many. */
function relatedTypes({ relations }: ResourceDescriptor): string {
  const members = Object.entries(relations ?? {}).map(([name, { kind, resource }]) => {
    const type = `Resources[${quote(resource)}]`;
    return `readonly ${key(name)}: ${kind === 'one' ? type : `readonly ${type}[]`}`;
  });
  return members.length === 0 ? '' : `\n    readonly related: { ${members.join('; ')} };`;
}

const sent = (schema: string | undefined): string => (schema === undefined ? 'never' : `Sent<Schemas['${schema}']>`);

/** The parameters of the collection's path; the id is an argument of its own. */
function params(resource: ResourceDescriptor, resources: readonly ResourceDescriptor[]): string {
  const types = parameterTypes(resource, resources);
  const names = [...types].map(([name, type]) => `readonly ${key(name)}: ${type}`);
  return names.length === 0 ? 'object' : `{ ${names.join('; ')} }`;
}

/** The arguments that give the path parameters over GraphQL, where they are called otherwise. */
function argumentsType(
  resource: ResourceDescriptor,
  resources: readonly ResourceDescriptor[],
  given: ParamArguments,
): string {
  const types = parameterTypes(resource, resources);
  const own = Object.entries(given).filter(([, parameter]) => types.has(parameter));
  if (own.every(([argument, parameter]) => argument === parameter)) return '';
  const names = own.map(([argument, parameter]) => `readonly ${key(argument)}: ${types.get(parameter)}`);
  return `\n    readonly arguments: { ${names.join('; ')} };`;
}

/** By resource, the arguments of its first field that gives path parameters. */
function argumentsByResource(graphql: GraphqlDescriptor | undefined): ReadonlyMap<string, ParamArguments> {
  const found = new Map<string, ParamArguments>();
  for (const field of Object.values(graphql?.fields ?? {}))
    if ('params' in field && !found.has(field.resource)) found.set(field.resource, field.params);
  return found;
}

/** The types whose properties the document spells otherwise: their values are in the words of the document. */
function objectTypes(descriptor: GraphqlDescriptor, document: OpenApiDocument): string {
  const spelling = graphqlSpelling({ document });
  const objects = renamedObjects(descriptor).map((type) => {
    const schema = Object.keys(namedSchemas(document)).find((name) => spelling.type(name) === type);
    const value = schema === undefined ? 'Readonly<Record<string, never>>' : `Answered<Schemas[${quote(schema)}]>`;
    return `export type ${rowTypeOf(type)} = ${value};\n`;
  });
  return objects.length === 0
    ? ''
    : `\n/** An object as the resolvers of its type receive it, in the names of the OpenAPI document. */\n${objects.join('')}`;
}

/** The enums whose values the document spells otherwise. */
function enumTypes({ enums }: GraphqlDescriptor): string {
  if (!enums) return '';
  const lines = Object.entries(enums).map(([type, values]) => `  readonly ${type}: ${JSON.stringify(values)};\n`);
  return `\n/** The values of GraphQL's enums that the OpenAPI document spells otherwise. */\nexport interface EnumValues {\n${lines.join('')}}\n`;
}

function rowTypes({ types }: GraphqlDescriptor): string {
  const rows = Object.entries(types).map(
    ([type, resource]) => `export type ${rowTypeOf(type)} = Resources[${quote(resource)}]['resource'];\n`,
  );
  return rows.length === 0 ? '' : `\n/** A resource as the resolvers of its type receive it. */\n${rows.join('')}`;
}
