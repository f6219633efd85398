import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { GRAPHQL_PATH } from '../../runtime/graphql/mount-graphql.ts';
import { isPermitted } from './permission.ts';
import type { ReadyToken } from './ready-tokens.ts';

const MAX_FIELDS = 3;

/**
 * Lines for whoever tries GraphQL: one for a shell that asks for a list, one that anybody may see if there is, and the headers
 * to paste into GraphiQL for each token. None for a contract that is REST only.
 */
export function graphqlLines(url: string, contract: CompiledContract, tokens: readonly ReadyToken[]): string[] {
  if (!contract.graphql) return [];
  const { fields } = contract.graphql.descriptor;
  const lists = Object.entries(fields).flatMap(([coordinate, field]) => {
    if (field.kind !== 'list' || Object.keys(field.params).length > 0) return [];
    const resource = contract.resources.find(({ key }) => key === field.resource)!;
    return shellLine(url, contract, tokens, coordinate.split('.')[1]!, resource);
  });
  const open = lists.find((line) => !line.includes('Bearer')) ?? lists[0];
  return [...(open === undefined ? [] : [open]), ...tokens.map(({ token }) => `{"authorization": "Bearer ${token}"}`)];
}

function shellLine(
  url: string,
  { document }: CompiledContract,
  tokens: readonly ReadyToken[],
  field: string,
  { actions, properties }: ResourceDescriptor,
): string[] {
  const names = properties.filter(({ type, origin }) => origin === 'input' && type !== 'json').map(({ name }) => name);
  const query = `{ ${field}(first: 2) { nodes { id ${names.slice(0, MAX_FIELDS).join(' ')} } } }`;
  const call = `curl '${url}${GRAPHQL_PATH}' -H 'Content-Type: application/json' -d '${JSON.stringify({ query })}'`;
  const access = actions.list!.access;
  if (isPermitted(document, access, undefined)) return [call];
  const caller = tokens.find((token) => isPermitted(document, access, token));
  return caller ? [`${call} -H 'Authorization: Bearer ${caller.token}'`] : [];
}
