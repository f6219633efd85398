export { jobsOf } from './define-job.ts';
export type { JobRunner, JobRuns } from './job-runner.ts';
