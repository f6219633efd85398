import { existsSync } from 'node:fs';
import { ConfigError, systemFault } from '../descriptor/config-error.ts';
import { nameOf, openStore } from '../runtime/storage/database/index.ts';
import type { JobEntry, JobQueue, JobState, Store } from '../runtime/storage/index.ts';
import { commandConfig } from '../tools/command-config.ts';

export interface JobsOptions {
  readonly state?: JobState | undefined;
  readonly name?: string | undefined;
  readonly format: 'text' | 'json';
}

type JobAction = 'show' | 'repeat' | 'drop';
/** An `id` is for one job. */
export type JobsAction = JobAction | 'list' | 'hold' | 'release';

/**
 * Lists or changes the jobs of the database of the settings; the exit code: 1 for an id that no job has. Throws `ConfigError` for an
 * action without its id, with one too many or with options of another, and for a database that cannot be read.
 */
export async function manageJobs(action: JobsAction, id: string | undefined, options: JobsOptions): Promise<number> {
  if (action !== 'list' && (options.state ?? options.name) !== undefined)
    throw new ConfigError([`jobs ${action}: leave out --state and --name, which only \`list\` has.`]);
  const run = isOfJob(action) ? ofJob(action, id) : ofAll(action, id, options);
  const config = commandConfig();
  const { database } = config;
  if (database.kind === 'sqlite' && !existsSync(database.file))
    throw new ConfigError([`DATABASE_URL, DATA_DIR: ${database.file} does not exist.`]);
  let store: Store | undefined;
  try {
    store = await openStore(database, [], { ...config, databaseRead: undefined });
    return await run(store.jobs);
  } catch (error) {
    const { cause = error } = error as Error;
    throw systemFault('DATABASE_URL, DATA_DIR', nameOf(database), cause);
  } finally {
    await store?.close();
  }
}

const isOfJob = (action: JobsAction): action is JobAction =>
  action === 'show' || action === 'repeat' || action === 'drop';

type Work = (queue: JobQueue) => Promise<number>;

function ofAll(action: Exclude<JobsAction, JobAction>, id: string | undefined, options: JobsOptions): Work {
  if (id !== undefined) throw new ConfigError([`jobs ${action}: it is about all jobs; leave out the id.`]);
  if (action === 'list') return (queue) => list(queue, options);
  return async (queue) => {
    await queue[action]();
    console.log(action === 'hold' ? 'Jobs are held: they are sent, and not run.' : 'Jobs run.');
    return 0;
  };
}

function ofJob(action: JobAction, id: string | undefined): Work {
  if (id === undefined || !/^\d{1,18}$/.test(id)) throw new ConfigError([`jobs ${action}: write the id of a job.`]);
  if (action === 'show') return (queue) => show(queue, id);
  return async (queue) => {
    if (!(await queue[action](id))) return missing(`job ${id} that waits or is dead`);
    console.log(`Job ${id} ${action === 'repeat' ? 'is due again' : 'is removed'}.`);
    return 0;
  };
}

async function list(queue: JobQueue, { state, name, format }: JobsOptions): Promise<number> {
  const jobs = await queue.list({ state, name });
  if (format === 'json') console.log(JSON.stringify(jobs.map(shown), null, 2));
  else for (const job of jobs) console.log(lineOf(job));
  return 0;
}

async function show(queue: JobQueue, id: string): Promise<number> {
  const job = await queue.show(id);
  if (!job) return missing(`job ${id}`);
  const { tenant, subject, requestId, input } = job;
  console.log(JSON.stringify({ ...shown(job), tenant, subject, requestId, input: JSON.parse(input) }, null, 2));
  return 0;
}

function missing(job: string): number {
  console.error(`There is no ${job}.`);
  return 1;
}

const shown = ({ id, name, key, state, attempt, runAt, error }: JobEntry): object => ({
  ...{ id, name, key, state, attempt },
  ...{ runAt: new Date(runAt).toISOString(), error },
});

const lineOf = ({ id, name, key, state, attempt, runAt, error }: JobEntry): string =>
  [id, state, name, key ?? '-', `attempt ${attempt}`, new Date(runAt).toISOString(), error?.split('\n')[0] ?? '']
    .join('  ')
    .trimEnd();
