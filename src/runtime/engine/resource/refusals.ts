import type { RowAction } from '../../../descriptor/row-access.ts';
import type { Principal } from '../../auth/principal.ts';

/** Words for the developer on the rules of a resource that refuse a caller; no caller in production reads them. */
export interface Refusals {
  /** Names the rule of `x-access` for an action, and what the caller lacks. */
  access(action: RowAction, principal: Principal | undefined): string;
  /** Names the rule of `x-owner`. */
  owner(): string;
}

/** A refusal, and the rule that it follows from where callers are told. */
export const withRule = (detail: string, rule: string | undefined): string =>
  rule === undefined ? detail : `${detail} ${rule}`;
