import type { Access } from '../../descriptor/access.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { RestOperation } from '../../runtime/rest/operation.ts';
import { createSchemaRegistry } from '../../runtime/schema/create-schema-registry.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';
import { customOperations } from './custom-operations.ts';
import { newExample } from './new-example.ts';
import { isPermitted } from './permission.ts';
import type { ReadyToken } from './ready-tokens.ts';

const MAX_LINES = 3;
const AUTHORIZATION = "-H 'Authorization: Bearer ";

export interface Callable {
  readonly contract: CompiledContract;
  /** The least powerful first. */
  readonly tokens: readonly ReadyToken[];
  readonly handlers: AnyHandlers | undefined;
}

/** The line that calls a path as the least powerful caller who may, `rest` behind it; none when nobody may. */
type Line = (access: Access | undefined, path: string, rest?: string) => string[];

/**
 * Up to three lines for a shell, each of which succeeds: what anybody may list, what a token opens, what can be
 * created; where the contract lacks one, a custom operation or another order of a list.
 */
export function curlLines(base: string, { contract, tokens, handlers }: Callable): string[] {
  const line = lineTo(base, contract, tokens);
  const roots = contract.resources.filter((resource) => !resource.parent);
  const lists = roots.flatMap(({ path, actions }) => line(actions.list?.access, `${path}?limit=2`));
  const custom = customOperations(contract, handlers).served.filter(isPlain);
  return [
    ...lists.filter((one) => !isClosed(one)).slice(0, 1),
    ...lists.filter(isClosed).slice(-1),
    ...creation(line, contract, roots),
    ...custom.flatMap(({ access, path }) => line(access, path)),
    ...roots.flatMap((resource) => sortedList(line, resource)),
  ].slice(0, MAX_LINES);
}

function lineTo(base: string, { document }: CompiledContract, tokens: readonly ReadyToken[]): Line {
  return (access, path, rest = '') => {
    if (!access) return [];
    const call = `curl '${base}${path}'`;
    if (isPermitted(document, access, undefined)) return [call + rest];
    const caller = tokens.find((token) => isPermitted(document, access, token));
    return caller ? [`${call} ${AUTHORIZATION}${caller.token}'${rest}`] : [];
  };
}

const isClosed = (line: string): boolean => line.includes(AUTHORIZATION);

/** The first resource that its own examples can make, and that somebody may create. */
function creation(line: Line, { document }: CompiledContract, roots: readonly ResourceDescriptor[]): string[] {
  const schemas = createSchemaRegistry(document);
  for (const resource of roots.filter(isFree)) {
    const example = newExample(document, schemas, resource);
    if (!example) continue;
    const data = ` -H 'Content-Type: application/json' -d ${shellText(JSON.stringify(example))}`;
    const lines = line(resource.actions.create?.access, resource.path, data);
    if (lines.length > 0) return lines;
  }
  return [];
}

function sortedList(line: Line, { path, actions, list }: ResourceDescriptor): string[] {
  const sort = list?.sorts.at(-1);
  return sort ? line(actions.list?.access, `${path}?sort=${sort.value}&limit=2`) : [];
}

const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Can be created, needs no other resource and is nobody's own. */
const isFree = ({ owner, actions, properties }: ResourceDescriptor): boolean =>
  !owner &&
  actions.create !== undefined &&
  properties.every(({ references, required, nullable }) => !references || !required || nullable);

/** Can be called by its path alone. */
const isPlain = ({ method, path, parameters }: RestOperation): boolean =>
  method === 'get' && !path.includes('{') && parameters.every(({ required }) => !required);
