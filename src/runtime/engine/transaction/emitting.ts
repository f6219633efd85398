import { eventJobName, MAX_DEPTH, type NewEvent, TOO_DEEP } from '../../storage/jobs.ts';
import type { Isolation } from '../../storage/store.ts';
import { Outgoing } from '../events/outgoing.ts';
import type { Caller, Log } from '../interface/call.ts';
import type { Runtime } from './runtime.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** What code hears of a caller's transaction. */
export function heardOf({ jobs }: Runtime, { principal, requestId }: Caller, isolation: Isolation): Outgoing {
  const actor = principal?.subject ?? null;
  const causeOf = (depth: number) => {
    return { actor, requestId, depth: depth + 1, traceparent: jobs?.traceparent(), now: jobs?.now() };
  };
  return new Outgoing(causeOf, isolation === 'single');
}

/** The work of a transaction, with the events of what it has changed written before the commit, while the rows are locked. */
export const emitting =
  <U extends UnitOfWork, T>({ log: lines }: Caller, work: (unit: U) => Promise<T>) =>
  async (unit: U): Promise<T> => {
    const result = await work(unit);
    const { log, transaction } = unit;
    const events = log.outgoing?.events(log.depth);
    if (events) await transaction.jobs.emit(log.depth < MAX_DEPTH ? events : loggedAsDead(lines, events));
    return result;
  };

const loggedAsDead = (log: Log, eventsOf: () => readonly NewEvent[]) => (): readonly NewEvent[] => {
  const events = eventsOf();
  for (const { resource, rowId } of events)
    log.error({ job: eventJobName(resource), key: rowId, err: new Error(TOO_DEEP) }, 'job is dead');
  return events;
};
