import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { type Action, isOwn, operationsOf, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { getAnonymously, getAsOther, listInvalid } from './access-moves.ts';
import { change, changeOldVersion, remove } from './change-moves.ts';
import { checkFurtherList } from './check-further-lists.ts';
import { checkLists } from './check-lists.ts';
import { callCustom } from './custom-move.ts';
import { listTools } from './list-tools.ts';
import type { MoveContext } from './move-context.ts';
import { create, get, getMissing } from './row-moves.ts';

/**
 * Something that a client may do, with checks of everything that must hold. Does nothing where it is not applicable.
 */
export interface Move {
  readonly name: string;
  /** Operations that it asks for, to see them succeed. */
  readonly asks: readonly string[];
  run(context: MoveContext): Promise<void>;
}

/** All moves that the contract allows: those of its resources' actions, a call of each custom operation, a list of tools. */
export function movesOf({ resources, rest, tools }: CompiledContract): readonly Move[] {
  const standard = new Set(
    resources.flatMap((resource) =>
      operationsOf(resource).flatMap((one) => (one.action === 'get' && !isOwn(resource, one) ? [] : [one.operationId])),
    ),
  );
  const custom = rest.operations.filter(({ operationId }) => !standard.has(operationId));
  return [
    ...resources.flatMap(movesOfResource),
    ...custom.map((operation) => ({
      name: operation.operationId,
      asks: [operation.operationId],
      run: (context: MoveContext) => callCustom(context, operation),
    })),
    ...(tools ? [{ name: 'list tools', asks: [], run: listTools }] : []),
  ];
}

function movesOfResource(resource: ResourceDescriptor): readonly Move[] {
  const { actions } = resource;
  const move = (
    name: string,
    needed: readonly Action[],
    run: (context: MoveContext, resource: ResourceDescriptor) => Promise<void>,
  ): Move[] =>
    needed.every((action) => actions[action])
      ? [{ name: `${resource.key}: ${name}`, asks: asksOf(resource, name), run: (context) => run(context, resource) }]
      : [];
  return [
    ...move('create', ['create'], create),
    ...move('get', ['get'], get),
    ...move('get a missing row', ['get'], getMissing),
    ...move('update', ['update', 'get'], (context, one) => change(context, one, 'update')),
    ...move('replace', ['replace', 'get'], (context, one) => change(context, one, 'replace')),
    ...move('change an old version', ['update', 'get'], changeOldVersion),
    ...move('delete', ['delete', 'get'], remove),
    ...move('get as another caller', ['get'], getAsOther),
    ...move('get anonymously', ['get'], getAnonymously),
    ...move('list', ['list'], checkLists),
    ...move('list with invalid parameters', ['list'], listInvalid),
    ...(resource.further ?? []).flatMap((further) =>
      further.action === 'list'
        ? move(further.operationId, ['list'], (context, one) => checkFurtherList(context, one, further))
        : [],
    ),
  ];
}

/** Of moves that are named for an action, or for a list through another resource. */
const asksOf = (resource: ResourceDescriptor, name: string): readonly string[] =>
  operationsOf(resource).flatMap((one) => {
    const { operationId, action } = one;
    const called = action === 'list' && !isOwn(resource, one) ? operationId : action;
    return called === name ? [operationId] : [];
  });
