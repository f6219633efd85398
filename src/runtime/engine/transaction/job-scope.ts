import { once } from '../../../descriptor/once.ts';
import type { Ending } from '../../async/ending.ts';
import type { Principal } from '../../auth/principal.ts';
import { Endable } from '../../storage/endable.ts';
import { ALL_ROWS, ofTenant, type RowScope } from '../../storage/row-scope.ts';
import type { Caller } from '../interface/call.ts';
import { type JobCall, type JobScope, NotCounted } from '../interface/job-scope.ts';
import type { JobContext } from '../interface/jobs.ts';
import { available } from '../interface/store-failure.ts';
import type { AnyResources } from '../interface/untyped.ts';
import { changeOf, inTransaction } from './in-transaction.ts';
import { asTransaction, refuseNested } from './nested.ts';
import { readingOnly } from './reading-only.ts';
import type { Runtime } from './runtime.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** The rows that a job reads and writes: those of its tenant, from the database itself. */
export function jobScope(runtime: Runtime, { job, log, ending }: JobCall): JobScope {
  const { tenancy } = runtime;
  const caller: Caller = {
    principal: job.subject === null ? undefined : principalOf(job.subject),
    requestId: job.requestId,
    log,
  };
  const scope: RowScope = !tenancy ? ALL_ROWS : job.tenant === '' ? { kind: 'none' } : ofTenant(job.tenant);
  const call = { caller, params: {} };
  let isCompleted = false;
  const transaction: JobContext<AnyResources>['transaction'] = async (work, { completes = false } = {}) => {
    refuseNested();
    const result = await available(() =>
      inTransaction(
        runtime,
        call,
        'serial',
        async (change) => {
          change.log.depth = job.depth;
          const { jobs } = change.transaction;
          if (!(await jobs.hold(job)))
            throw new NotCounted(`Job ${job.id} has ended or has passed to another run: this one writes nothing more.`);
          const within = tenancy ? change.within(scope) : change;
          const result = await untilEnd(within, ending, (unit) => {
            const { store, now, send } = changeOf(runtime, unit, []).context(call);
            return asTransaction(() => work({ store, now, send }));
          });
          if (completes) await jobs.complete(job);
          return result;
        },
        scope,
      ),
    );
    isCompleted ||= completes;
    return result;
  };
  const rowsOf = (of: RowScope) => runtime.store.within(of);
  return {
    store: runtime.tablesIn(once(() => readingOnly(runtime, caller, rowsOf(scope), rowsOf).within(scope))),
    transaction,
    isCompleted: () => isCompleted,
  };
}

/** Does work in a unit of work until it ends or is ended; code that goes on then can use the unit no more. */
async function untilEnd<T>(unit: UnitOfWork, ending: Ending, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
  const endable = new Endable(unit.transaction);
  try {
    return await ending.until(work({ ...unit, transaction: endable.transaction }));
  } finally {
    await endable.end();
  }
}

/** Who sent the job, for `updatedBy`: without the scopes and the claims of the token, which may have ended. */
const principalOf = (subject: string): Principal => ({
  subject,
  scopes: new Set(),
  expiresAtMs: Number.POSITIVE_INFINITY,
});
