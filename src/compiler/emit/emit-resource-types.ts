import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { ContractModel } from '../model/model.ts';
import { rowTypeOf } from '../model/naming.ts';
import { fromBelow } from './library.ts';
import { keyType, parameterTypes } from './parameter-types.ts';
import { HEADER, key, quote } from './print.ts';

/**
 * `types/resources.ts`: the types of each resource, and of the rows that GraphQL's object types stand for.
 * It imports neither handlers nor resolvers, so that both can import it.
 */
export function emitResourceTypes({ resources, graphql }: ContractModel, library: string): string {
  return `${HEADER}import type { Answered, Sent } from '${fromBelow(1, library)}';
import type { components, operations } from './openapi.ts';

type Schemas = components['schemas'];
type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

/** The types of each resource, by key. */
export interface Resources {
${resources.map((resource) => resourceTypes(resource, resources)).join('')}}
${rowTypes(graphql?.descriptor.types ?? {})}`;
}

function resourceTypes(described: ResourceDescriptor, resources: readonly ResourceDescriptor[]): string {
  const { key: name, properties, actions, list, schemas } = described;
  const server = properties.filter(({ origin }) => origin === 'server').map((property) => quote(property.name));
  const resource = `Answered<Schemas['${schemas.resource}']>`;
  const query = list && actions.list ? `QueryOf<${quote(actions.list.operationId)}>` : 'object';
  return `  readonly ${key(name)}: {
    readonly resource: ${resource};
    readonly input: ${sent(schemas.input)};
    readonly patch: ${sent(schemas.patch)};
    readonly server: ${server.length === 0 ? 'object' : `Pick<${resource}, ${server.join(' | ')}>`};
    readonly query: ${query};
    readonly params: ${params(described, resources)};
    readonly actions: ${Object.keys(actions)
      .map((action) => `'${action}'`)
      .join(' | ')};${actions.replace?.creates ? '\n    readonly creates: true;' : ''}${keyTypes(described)}
  };
`;
}

/** What one is named and read by, where it is not the id. */
function keyTypes(described: ResourceDescriptor): string {
  const { keyProperty, lookups = [] } = described;
  const members = (names: readonly string[]) =>
    `{ ${names.map((name) => `readonly ${key(name)}: ${keyType(described, name)}`).join('; ')} }`;
  const own = keyProperty === undefined ? '' : `\n    readonly key: ${members([keyProperty])};`;
  const others =
    lookups.length === 0 ? '' : `\n    readonly lookups: ${members(lookups.map(({ property }) => property))};`;
  return own + others;
}

const sent = (schema: string | undefined): string => (schema === undefined ? 'never' : `Sent<Schemas['${schema}']>`);

/** The parameters of the collection's path; the id is an argument of its own. */
function params(resource: ResourceDescriptor, resources: readonly ResourceDescriptor[]): string {
  const types = parameterTypes(resource, resources);
  const names = [...types].map(([name, type]) => `readonly ${key(name)}: ${type}`);
  return names.length === 0 ? 'object' : `{ ${names.join('; ')} }`;
}

function rowTypes(types: Readonly<Record<string, string>>): string {
  const rows = Object.entries(types).map(
    ([type, resource]) => `export type ${rowTypeOf(type)} = Resources[${quote(resource)}]['resource'];\n`,
  );
  return rows.length === 0 ? '' : `\n/** A resource as the resolvers of its type receive it. */\n${rows.join('')}`;
}
