import type { Access } from '../../descriptor/access.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { OperationDescriptor } from '../../descriptor/rest.ts';
import { createSchemaRegistry } from '../../runtime/schema/index.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';
import { type Call, callOf } from './call.ts';
import { customOperations } from './custom-operations.ts';
import { newExample } from './new-example.ts';
import type { ReadyToken } from './ready-tokens.ts';

const MAX_CALLS = 3;

export interface Callable {
  readonly contract: CompiledContract;
  /** The least powerful first. */
  readonly tokens: readonly ReadyToken[];
  readonly handlers: AnyHandlers | undefined;
}

/** Calls a path as the least powerful caller who may; none when nobody may. */
type CallTo = (access: Access | undefined, path: string, body?: object) => Call[];

/**
 * Up to three REST requests: what anyone may list, what a token opens, what can be created; where the contract lacks one, a
 * custom operation or another order of a list.
 */
export function curlCalls(base: string, { contract, tokens, handlers }: Callable): Call[] {
  const call: CallTo = (access, path, body) =>
    access ? callOf(contract.rest, tokens, access, `${base}${path}`, body) : [];
  const roots = contract.resources.filter((resource) => !resource.parent);
  const lists = roots.flatMap(({ path, actions }) => call(actions.list?.access, `${path}?limit=2`));
  const custom = customOperations(contract, handlers).served.filter(isPlain);
  return [
    ...lists.filter(({ caller }) => !caller).slice(0, 1),
    ...lists.filter(({ caller }) => caller).slice(-1),
    ...creation(call, contract, roots),
    ...custom.flatMap(({ access, path }) => call(access, path)),
    ...roots.flatMap((resource) => sortedList(call, resource)),
  ].slice(0, MAX_CALLS);
}

/** The first resource that its own examples can make, and that somebody may create. */
function creation(call: CallTo, { document }: CompiledContract, roots: readonly ResourceDescriptor[]): Call[] {
  const schemas = createSchemaRegistry(document);
  for (const resource of roots.filter(isFree)) {
    const example = newExample(document, schemas, resource);
    const calls = example ? call(resource.actions.create?.access, resource.path, example) : [];
    if (calls.length > 0) return calls;
  }
  return [];
}

function sortedList(call: CallTo, { path, actions, list }: ResourceDescriptor): Call[] {
  const sort = list?.sorts.at(-1);
  return sort ? call(actions.list?.access, `${path}?sort=${sort.value}&limit=2`) : [];
}

/** Can be created by all who may call, needs no other resource and is nobody's own. */
const isFree = ({ owner, rowAccess, actions, properties }: ResourceDescriptor): boolean =>
  !owner &&
  !rowAccess?.create &&
  !properties.some(({ access }) => access?.write) &&
  actions.create !== undefined &&
  properties.every(({ references, required, nullable }) => !references || !required || nullable);

/** Can be called by its path alone. */
const isPlain = ({ method, path, parameters }: OperationDescriptor): boolean =>
  method === 'get' && !path.includes('{') && parameters.every(({ required }) => !required);
