import { ALL_ROWS } from '../../storage/row-scope.ts';
import type { AnyJob, SendOptions } from '../interface/jobs.ts';
import { jsonFault } from './json-fault.ts';
import type { Runtime } from './runtime.ts';
import type { UnitOfWork } from './unit-of-work.ts';

const MAX_INPUT_BYTES = 65_536;
const MAX_SENT = 1_000;
const MAX_KEY_LENGTH = 500;

interface SendingCode {
  readonly runtime: Runtime;
  readonly unit: UnitOfWork;
  readonly requestId: string;
}

/** Sends a job in a transaction. Throws for what cannot be sent. */
export async function sendJob(
  { runtime, unit, requestId }: SendingCode,
  job: AnyJob,
  input: unknown,
  options: SendOptions = {},
): Promise<void> {
  const { jobs } = runtime;
  const fail = (why: string): never => {
    throw new Error(`send(${JSON.stringify(job.name)}): ${why}`);
  };
  if (!jobs?.has(job)) return fail('`handlers.jobs` lacks this job.');
  const text = inputText(input, fail);
  const key = keyOf(job, text, fail);
  if (options.replace && key === null) return fail('`replace` is by the key, which this job does not have.');
  if (unit.log.sent >= MAX_SENT) return fail(`a transaction sends ${MAX_SENT} jobs at most.`);
  const runAt = options.at === undefined ? undefined : timeOf(options.at);
  if (Number.isNaN(runAt)) return fail('`at` is not a time: give it a Date.');
  const sent = {
    ...{ name: job.name, key, input: text, requestId, runAt },
    tenant: tenantOf(runtime, unit, options.tenant),
    subject: unit.principal?.subject ?? null,
    depth: unit.log.depth,
    traceparent: jobs.traceparent(),
  };
  // `within` throws if the transaction has ended.
  const { jobs: writes } = unit.transaction.within(unit.scope ?? ALL_ROWS);
  // Others are sent beside it.
  unit.log.sent++;
  await writes.send(sent, options.replace ?? false, jobs.now());
}

function inputText(input: unknown, fail: (why: string) => never): string {
  const fault = jsonFault(input, 'the input');
  if (fault !== undefined) return fail(fault);
  const text = JSON.stringify(input);
  const bytes = Buffer.byteLength(text);
  return bytes > MAX_INPUT_BYTES ? fail(`the input has ${bytes} bytes; 65,536 is the most.`) : text;
}

const timeOf = (at: unknown): number => (at instanceof Date ? at.getTime() : Number.NaN);

/** By the input as the job will get it, so that its `parse` judges it; `text` is its JSON. */
export function keyOf(job: AnyJob, text: string, fail: (why: string) => never): string | null {
  const parsed: unknown = JSON.parse(text);
  const input = job.parse ? job.parse(parsed) : parsed;
  const value: unknown = job.key?.(input);
  if (value == null) return null;
  if (typeof value !== 'string') return fail('its key is not a text.');
  const isStorable = value.length <= MAX_KEY_LENGTH && !value.includes('\0') && value.isWellFormed();
  return isStorable
    ? value
    : fail(`its key has more than ${MAX_KEY_LENGTH} characters, or one that no database keeps.`);
}

/** The tenant of the rows that the code reaches; empty if it reaches those of several, or of none. */
function tenantOf(
  { tenancy, tenantGiven }: Runtime,
  { scope, principal }: UnitOfWork,
  given?: string | number,
): string {
  if (given !== undefined) return String(tenantGiven('send', given));
  const reached = scope ?? tenancy?.scopeFor(principal);
  return reached?.kind === 'tenant' ? reached.tenant : '';
}
