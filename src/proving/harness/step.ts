import { FILTER_PARAMETER } from '../../descriptor/filters.ts';
import {
  type Action,
  type FurtherOperation,
  furtherPaths,
  type ResourceDescriptor,
} from '../../descriptor/resource.ts';
import type { OperationDescriptor } from '../../descriptor/rest.ts';
import type { Caller } from './callers.ts';

/** One call of an action, independent of the protocol. */
export interface Step {
  readonly resource: ResourceDescriptor;
  readonly action: Action;
  readonly caller: Caller;
  /** What is tried: `good`, `price: too large`. */
  readonly label: string;
  /** Whether the request is invalid. GraphQL may report that before it authorizes the caller. */
  readonly isFaulty: boolean;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** In the form of REST's request body. */
  readonly input?: unknown;
  /** REST's query parameters, decoded. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Of a list: the rows are those that another resource joins to the one that the parameters name. */
  readonly through?: FurtherOperation;
  readonly ifVersion?: number | undefined;
  /** Of a replacement: only where it creates. */
  readonly ifAbsent?: boolean;
  /** Of a custom operation: GraphQL may answer null without an error. */
  readonly mayBeNull?: boolean;
}

/** The operation of a step: of its action, of the list through another resource, or of the lookup whose key it has. */
export function operationOf({ resource, action, through, params = {} }: Asked): string {
  const { actions, idParameter } = resource;
  const isOwn = action !== 'get' || params[idParameter] !== undefined;
  const path = isOwn ? undefined : furtherPaths(resource).find(({ property }) => params[property] !== undefined);
  return (through ?? path ?? actions[action]!).operationId;
}

type Asked = Pick<Step, 'resource' | 'action'> & Partial<Step>;

/** Stands for the resource of a step that concerns no row. */
export const withoutRows = ({
  key,
  name,
  nameCase,
}: Pick<ResourceDescriptor, 'key' | 'name' | 'nameCase'>): ResourceDescriptor => ({
  key,
  name,
  table: '',
  path: '',
  idParameter: '',
  properties: [],
  actions: {},
  unique: [],
  schemas: { resource: '' },
  ...(nameCase && { nameCase }),
});

/** Of operations that have no resource. */
export const NO_RESOURCE: ResourceDescriptor = withoutRows({ key: 'custom', name: 'Custom' });

/** Whether a query parameter of a list holds conditions, as JSON text. */
export const isConditions = ({ list }: ResourceDescriptor, parameter: string): boolean =>
  list?.filter !== undefined && parameter === FILTER_PARAMETER;

/** A list below a row as the operation asks for it where another resource joins its rows to that; undefined where none does. */
export function throughStep(
  operations: readonly OperationDescriptor[],
  parent: ResourceDescriptor,
  operationId: string,
  step: Step,
): Step | undefined {
  const through = step.resource.further?.find((one) => one.operationId === operationId);
  const { path = '' } = operations.find((one) => one.operationId === operationId) ?? {};
  const [, parameter] = /\{([^}]+)\}\/[^/]+$/.exec(path) ?? [];
  if (!through || parameter === undefined) return undefined;
  return { ...step, through, params: { ...step.params, [parameter]: step.params[parent.idParameter]! } };
}

/** An entry of `errors`, as a protocol reports it. */
export interface ReportedError {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly argument?: string;
  readonly code?: string;
  readonly detail: string;
}

export interface ErrorOutcome {
  readonly kind: 'error';
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly errors: readonly ReportedError[] | undefined;
  /** Whether GraphQL refused the request before executing any field. */
  readonly isEarly: boolean;
}

/** The result of a step over one protocol. */
export type Outcome =
  | { readonly kind: 'data'; readonly value: unknown }
  | ErrorOutcome
  /** A response that does not conform to the protocol. */
  | { readonly kind: 'malformed'; readonly text: string };
