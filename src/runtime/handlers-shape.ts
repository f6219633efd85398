import { reasonOf } from '../descriptor/config-error.ts';
import { isPlainObject } from '../descriptor/plain-object.ts';
import type { AnyJob, Schedule } from './engine/interface/jobs.ts';
import { isTimeZone } from './engine/transaction/time-zone.ts';
import { HandlerError } from './errors/handler-error.ts';
import { type AnyEventHandlers, eventFaults, type HeardResources } from './jobs/event-jobs.ts';
import { cronFault, scheduledKey } from './jobs/schedules.ts';
import type { VersionStep } from './rest/versions/version.ts';
import type { AnyHandlers } from './wiring.ts';

/** What is wrong with a value at a place of `handlers`. */
type Shape = (value: unknown, place: string) => readonly string[];

const a =
  (type: 'function' | 'string'): Shape =>
  (value, place) =>
    typeof value === type ? [] : [`${place} is not a ${type}`];

/** An object with values of one shape, by any names; one that is undefined is not there. */
const eachIs =
  (shape: Shape): Shape =>
  (value, place) =>
    isPlainObject(value)
      ? Object.entries(value).flatMap(([name, one]) => (one === undefined ? [] : shape(one, `${place}.${name}`)))
      : [`${place} is not an object`];

/** An object that has no other names than those. */
const only =
  (parts: Readonly<Record<string, Shape>>): Shape =>
  (value, place) => {
    if (!isPlainObject(value)) return [`${place} is not an object`];
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(parts, name));
    return [
      ...unknown.map((name) => `${place}.${name} is not one of ${Object.keys(parts).join(', ')}`),
      ...Object.entries(parts).flatMap(([name, shape]) =>
        value[name] === undefined ? [] : shape(value[name], `${place}.${name}`),
      ),
    ];
  };

const aFunction = a('function');

const resolver: Shape = (value, place) =>
  typeof value === 'function' || (isPlainObject(value) && [value['subscribe'], value['resolveType']].some(isFunction))
    ? []
    : [`${place} is neither a function nor an object with \`subscribe\` or \`resolveType\``];

const isFunction = (value: unknown): boolean => typeof value === 'function';

const STEP = {
  schemas: eachIs(only({ up: aFunction, down: aFunction, downAll: aFunction })),
  queries: eachIs(aFunction),
  operations: eachIs(a('string')),
  errors: eachIs(a('string')),
  places: eachIs(a('string')),
} satisfies Record<keyof VersionStep, Shape>;

const operation: Shape = (value, place) =>
  typeof value === 'function' || (isPlainObject(value) && isFunction(value['each']))
    ? []
    : [`${place} is neither a function nor an object with a function \`each\``];

/** The most that `setTimeout` waits. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const JOB_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/;

const aCount =
  (most: number): Shape =>
  (value, place) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most
      ? []
      : [`${place} is not a whole number from 1 to ${most}`];

const aJobName: Shape = (value, place) =>
  typeof value === 'string' && JOB_NAME.test(value)
    ? []
    : [`${place} is not a letter with up to 99 letters, digits, \`_\`, \`.\` and \`-\` behind it`];

const JOB = only({
  name: aJobName,
  key: aFunction,
  attempts: aCount(1_000),
  timeoutMs: aCount(MAX_TIMEOUT_MS),
  parse: aFunction,
  run: aFunction,
} satisfies Record<keyof AnyJob, Shape>);

const jobs: Shape = (value, place) => {
  if (!Array.isArray(value)) return [`${place} is not a list`];
  const names = value.map((job: unknown) => (isPlainObject(job) ? job['name'] : undefined));
  return value.flatMap((job: unknown, i) => {
    const at = `${place}[${i}]`;
    if (!isPlainObject(job) || !isFunction(job['run']) || job['name'] === undefined)
      return [`${at} is not a job: make it with \`job\` of generated/handlers.ts`];
    const first = names.indexOf(job['name']);
    const repeated = first < i ? [`${at} has the name of ${place}[${first}], ${JSON.stringify(job['name'])}`] : [];
    return [...JOB(job, at), ...repeated];
  });
};

const aCron: Shape = (value, place) => {
  const fault = cronFault(value);
  return fault === undefined ? [] : [`${place} ${fault}`];
};

const aTimeZone: Shape = (value, place) =>
  typeof value === 'string' && isTimeZone(value) ? [] : [`${place} is not an IANA name of a time zone`];

const schedule =
  (jobs: unknown): Shape =>
  (value, place) =>
    only({
      cron: aCron,
      timeZone: aTimeZone,
      job: scheduledJob(jobs),
      missed: (one, at) => (['once', 'skip'].includes(String(one)) ? [] : [`${at} is neither once nor skip`]),
    } satisfies Record<keyof Schedule, Shape>)(
      isPlainObject(value) ? { cron: null, job: null, ...value } : value,
      place,
    );

const scheduledJob =
  (jobs: unknown): Shape =>
  (value, place) => {
    const job: AnyJob | undefined = Array.isArray(jobs) ? jobs.find((one) => one === value) : undefined;
    if (!job) return [`${place} is not in handlers.jobs`];
    try {
      scheduledKey(job);
      return [];
    } catch (error) {
      return [`${place} does not take {} as its input: ${reasonOf(error)}`];
    }
  };

const updated: Shape = (value, place) =>
  typeof value === 'function' || (isPlainObject(value) && isFunction(value['run']) && isNames(value['of']))
    ? []
    : [`${place} is neither a function nor an object with a list \`of\` of names and a function \`run\``];

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string');

const shapeOf = ({ jobs: listed }: AnyHandlers): Shape =>
  only({
    overrides: eachIs(eachIs(aFunction)),
    operations: eachIs(operation),
    security: eachIs(aFunction),
    versions: eachIs(only(STEP)),
    fields: eachIs(eachIs(aFunction)),
    routes: eachIs(aFunction),
    resolvers: eachIs(eachIs(resolver)),
    jobs,
    schedules: eachIs(schedule(listed)),
    on: eachIs(
      only({ created: aFunction, updated, deleted: aFunction } satisfies Record<keyof AnyEventHandlers, Shape>),
    ),
  } satisfies Record<keyof AnyHandlers, Shape>);

/** Without what objects inherit: an operation, a resource or a type may be called `toString`. */
function ownMembers(value: unknown, levels: number): unknown {
  if (!isPlainObject(value) || levels === 0) return value;
  const members = Object.entries(value).map(([name, one]) => [name, ownMembers(one, levels - 1)]);
  return { __proto__: null, ...Object.fromEntries(members) };
}

/**
 * Hand-written code, whose records by names of the contract have their own members alone. Throws `HandlerError` when it has parts
 * of another name or kind than `generated/handlers.ts` says, or hears of rows that the contract lacks: Node runs it without looking
 * at its types, and would leave out what is misspelt.
 */
export function checkedHandlers(handlers: AnyHandlers, known: HeardResources): AnyHandlers {
  const faults = [...shapeOf(handlers)(handlers, 'handlers'), ...eventFaults(known, handlers.on)];
  if (faults.length > 0) throw new HandlerError(`Handlers do not fit the contract:\n  ${faults.join('\n  ')}`);
  return ownMembers(handlers, 3) as AnyHandlers;
}
