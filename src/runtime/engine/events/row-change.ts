import { ApiError } from '../../errors/api-error.ts';
import type { Row, StoredValue } from '../../storage/store.ts';
import type { ChangeKind } from '../interface/call.ts';

/** What a committed transaction did to one row, as plain JSON: it may be sent to other servers. */
export interface RowChange {
  /** Key of the resource. */
  readonly resource: string;
  /** `resighted`: a change of other rows may have brought rows, or properties, in or out of callers' sight; `row` is empty. */
  readonly kind: ChangeKind | 'resighted';
  /** The row after the change; a deleted row as it was before. */
  readonly row: Row;
  /** The row before the transaction that has updated it, or deleted it after that, where `x-access` says who sees it. */
  readonly before?: Row;
  /** The rows of the parent, its parent and so on, where their owners decide who may see this row, or `x-access` who saw a deleted one; else empty. */
  readonly ancestors: readonly Row[];
  /** Of what is `resighted`: the tenants whose callers it concerns, where it does not concern any. */
  readonly tenants?: readonly string[];
}

/** The same, where the resource is known. */
export type NetChange = Omit<RowChange, 'resource'>;

/** The net change of two, whose row before is that before the first. */
export function merged(first: RowChange, second: NetChange): NetChange {
  const { row, ancestors } = second;
  if (first.kind === 'created') return { kind: 'created', row, ancestors };
  const kind = first.kind === 'deleted' && second.kind === 'created' ? 'updated' : second.kind;
  const before = first.kind === 'deleted' ? first.row : first.before;
  return { kind, row, ancestors, ...(before && { before }) };
}

/** Whether a change of sight may concern callers of this tenant, or, where it is left out, of any. */
export const concerns = ({ tenants }: RowChange, tenant: StoredValue | undefined): boolean =>
  tenants === undefined || tenant === undefined || tenants.includes(String(tenant));

/** Stands for changes that may have been missed. */
export const MISSED_EVENTS = Symbol('missed events');

/** What a subscriber gets in the place of such changes. */
export const missedEvents = (): ApiError =>
  new ApiError('EVENTS_MISSED', {
    detail: 'Events may have been missed. Read the resources again to be up to date.',
  });
