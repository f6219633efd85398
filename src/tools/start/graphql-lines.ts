import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { GraphqlDescriptor } from '../../descriptor/graphql.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { GRAPHQL_PATH } from '../../runtime/graphql/mount-graphql.ts';
import { type Call, callOf } from './call.ts';
import type { ReadyToken } from './ready-tokens.ts';

const MAX_FIELDS = 3;

/** A query for a list, one that anyone may see if there is one; none for a contract that is REST only. */
export function graphqlCall(url: string, contract: CompiledContract, tokens: readonly ReadyToken[]): Call[] {
  if (!contract.graphql) return [];
  const calls = Object.entries(contract.graphql.descriptor.fields).flatMap(([coordinate, field]) => {
    if (field.kind !== 'list' || Object.keys(field.params).length > 0) return [];
    const resource = contract.resources.find(({ key }) => key === field.resource)!;
    const query = queryOf(coordinate.split('.')[1]!, resource, contract.graphql!.descriptor);
    return callOf(contract.document, tokens, resource.actions.list!.access, `${url}${GRAPHQL_PATH}`, { query });
  });
  const call = calls.find(({ caller }) => !caller) ?? calls[0];
  return call ? [call] : [];
}

function queryOf(field: string, { key, properties }: ResourceDescriptor, graphql: GraphqlDescriptor): string {
  const type = Object.keys(graphql.types).find((one) => graphql.types[one] === key);
  const names = properties
    .filter(({ name, type, origin }) => name !== 'id' && origin === 'input' && type !== 'json')
    .map(({ name }) => fieldOf(graphql, type, name));
  return `{ ${field}(first: 2) { nodes { ${['id', ...names.slice(0, MAX_FIELDS)].join(' ')} } } }`;
}

/** The field of a type that stands for a property. */
function fieldOf({ fields }: GraphqlDescriptor, type: string | undefined, property: string): string {
  const found = Object.entries(fields).find(
    ([coordinate, field]) =>
      field.kind === 'property' && field.property === property && coordinate.startsWith(`${type}.`),
  );
  return found?.[0].split('.')[1] ?? property;
}
