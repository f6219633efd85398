import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { GRAPHQL_PATH } from '../../descriptor/graphql.ts';
import { declaredAction } from '../../descriptor/resource.ts';
import { listDocuments } from '../../runtime/graphql/index.ts';
import { type Call, callOf } from './call.ts';
import type { ReadyToken } from './ready-tokens.ts';

/** A query for a list, one that anyone may see if there is one; none for a contract that is REST only. */
export function graphqlCall(url: string, contract: CompiledContract, tokens: readonly ReadyToken[]): Call[] {
  if (!contract.graphql) return [];
  const calls = listDocuments(contract.resources, contract.graphql.descriptor).flatMap(({ resource, text }) =>
    callOf(contract.rest, tokens, declaredAction(resource, 'list').access, `${url}${GRAPHQL_PATH}`, { query: text }),
  );
  const call = calls.find(({ caller }) => !caller) ?? calls[0];
  return call ? [call] : [];
}
