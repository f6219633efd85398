import type { Session } from '../../admission/session.ts';
import type { Batches } from './batch.ts';

/**
 * The values that resolvers share during one execution: of an operation, or of one event of a subscription.
 * @example
 * import type { GraphqlContext } from 'lockstep';
 *
 * const requestIdOf = ({ session }: GraphqlContext): string => session.requestId;
 */
export interface GraphqlContext {
  readonly session: Session;
  /** The variables as they were sent, without defaults. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly batches: Batches;
}
