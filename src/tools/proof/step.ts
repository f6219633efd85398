import type { Action, ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Caller } from './callers.ts';

/** One call of an action, before it is put into a protocol's words. */
export interface Step {
  readonly resource: ResourceDescriptor;
  readonly action: Action;
  readonly caller: Caller;
  /** What is tried: `good`, `price: too great`. */
  readonly label: string;
  /** The request is at fault: GraphQL may find that out before it asks who calls. */
  readonly isFaulty: boolean;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** As REST takes it. */
  readonly input?: unknown;
  /** As REST takes it, decoded. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly ifVersion?: number | undefined;
}

/** An entry of `errors`, as a protocol tells it. */
export interface Fault {
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
  readonly faults: readonly Fault[] | undefined;
  /** Refused before any field was executed. */
  readonly isEarly: boolean;
}

/** What one protocol answered. */
export type Outcome =
  | { readonly kind: 'data'; readonly value: unknown }
  | ErrorOutcome
  /** An answer that is no answer of the protocol. */
  | { readonly kind: 'nonsense'; readonly text: string };
