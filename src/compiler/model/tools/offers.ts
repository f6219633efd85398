import { isPlainObject } from '../../../descriptor/plain-object.ts';
import { isAction } from '../../../descriptor/resource.ts';
import { OWN_ROLES, ROLES } from '../../../descriptor/roles.ts';
import { TOOL_GROUPS, type ToolGroup } from '../../../descriptor/tools.ts';
import type { ContractModel, OperationModel } from '../model.ts';

/** What `x-mcp` on `info` says, with its defaults. */
export interface McpOffer {
  readonly groups: readonly ToolGroup[];
  readonly instructions?: string;
  /** The most tokens that the list of tools may have. */
  readonly budget: number;
  readonly alwaysSignsIn: boolean;
}

/** What `x-mcp` on an operation says. */
interface OwnOffer {
  readonly isOffered: boolean;
  readonly name?: string;
  readonly description?: string;
}

/** An operation that agents are offered. */
export interface OfferedOperation {
  readonly operation: OperationModel;
  readonly group: ToolGroup;
  readonly own: OwnOffer | undefined;
}

const BUDGET = 10_000;

/** Undefined: the contract offers nothing. */
export function offerOf({ info }: ContractModel['document']): McpOffer | undefined {
  const value = info['x-mcp'];
  if (!isPlainObject(value)) return undefined;
  const { offer = ['read'], instructions, budget = BUDGET, signIn } = value;
  return {
    groups: TOOL_GROUPS.filter((group) => (offer as readonly string[]).includes(group)),
    ...(instructions !== undefined && { instructions: instructions as string }),
    budget: budget as number,
    alwaysSignsIn: signIn === 'always',
  };
}

/** What an operation says of itself; undefined: nothing. */
export function ownOffer({ node }: Pick<OperationModel, 'node'>): OwnOffer | undefined {
  const value = node['x-mcp'];
  if (isPlainObject(value)) return { isOffered: true, ...value };
  return typeof value === 'boolean' ? { isOffered: value } : undefined;
}

/** Why an operation cannot be offered; undefined: it can. */
export function hindrance({ rest }: ContractModel, { operationId, method }: OperationModel): string | undefined {
  if (method === 'head' || method === 'options' || method === 'trace') return `it is \`${method.toUpperCase()}\``;
  const { code } = rest.operations.find((one) => one.operationId === operationId) ?? {};
  return code?.in === 'routes' ? 'only HTTP has its inputs or answers (`handlers.routes`)' : undefined;
}

/** The operations of a contract that agents are offered, in its order. */
export function offeredOperations(model: ContractModel, { groups }: McpOffer): readonly OfferedOperation[] {
  return model.operations.flatMap((operation) => {
    const own = ownOffer(operation);
    const group = groupOf(operation);
    const isOfGroup = !isOfferedAlone(operation) && groups.includes(group);
    const isOffered = own?.isOffered ?? (isOfGroup && operation.node.deprecated !== true);
    return isOffered && hindrance(model, operation) === undefined ? [{ operation, group, own }] : [];
  });
}

const groupOf = ({ default: standard }: OperationModel): ToolGroup =>
  standard ? ROLES[standard.action].tool : 'custom';

const isOfferedAlone = ({ default: standard }: OperationModel): boolean =>
  standard !== undefined && !isAction(standard.action) && OWN_ROLES[standard.action].isOfferedAlone;
