import { eventJobName, MAX_DEPTH, TOO_DEEP } from '../../storage/jobs.ts';
import type { Caller } from '../interface/call.ts';
import type { Runtime } from './runtime.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** The work of a transaction, with the events of what it has changed written before the commit, while the rows are locked. */
export const emitting =
  <U extends UnitOfWork, T>(
    { jobs }: Runtime,
    { principal, requestId, log: lines }: Caller,
    work: (unit: U) => Promise<T>,
  ) =>
  async (unit: U): Promise<T> => {
    const result = await work(unit);
    const { log, transaction } = unit;
    const cause = {
      actor: principal?.subject ?? null,
      requestId,
      depth: log.depth + 1,
      traceparent: jobs?.traceparent(),
    };
    const events = log.outgoing?.events(cause) ?? [];
    if (events.length > 0) await transaction.jobs.emit(events, jobs?.now());
    if (cause.depth > MAX_DEPTH)
      for (const { resource, rowId } of events)
        lines.error({ job: eventJobName(resource), key: rowId, err: new Error(TOO_DEEP) }, 'job is dead');
    return result;
  };
