import type { Session } from '../endpoint/session.ts';
import { Batches } from './batch.ts';

type Variables = Readonly<Record<string, unknown>>;

/**
 * What resolvers share during one execution: of an operation, or of one event of a subscription.
 * @example
 * import type { GraphqlContext } from 'lockstep';
 *
 * const requestIdOf = ({ session }: GraphqlContext): string => session.requestId;
 */
export interface GraphqlContext {
  readonly session: Session;
  /** The variables as they were sent, without defaults. */
  readonly variables: Variables;
  readonly batches: Batches;
}

export function contextOf(session: Session, variables: Variables): GraphqlContext {
  return { session, variables, batches: new Batches() };
}
