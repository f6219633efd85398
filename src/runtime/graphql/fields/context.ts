import type { Session } from '../endpoint/session.ts';
import { Batches } from './batch.ts';

/**
 * What resolvers share during one execution: of an operation, or of one event of a subscription.
 * @example
 * import type { GraphqlContext } from 'lockstep';
 *
 * const requestIdOf = ({ session }: GraphqlContext): string => session.requestId;
 */
export interface GraphqlContext {
  readonly session: Session;
  readonly batches: Batches;
}

export function contextOf(session: Session): GraphqlContext {
  return { session, batches: new Batches() };
}
