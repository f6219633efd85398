import type { DefineJob, Job, JobDefinition } from '../engine/interface/jobs.ts';

/**
 * Makes the `job` of a contract with the resources `R`: `generated/handlers.ts` exports it.
 * @example
 * import { jobsOf } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * export const job = jobsOf<Resources>();
 */
export const jobsOf =
  <R>(): DefineJob<R> =>
  <Input>(name: string, definition: JobDefinition<Input, R>): Job<Input> => ({ name, ...definition });
