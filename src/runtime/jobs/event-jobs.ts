import { lookUp } from '../../descriptor/look-up.ts';
import { isPlainObject } from '../../descriptor/plain-object.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Consumed, RowEvent } from '../engine/interface/event-handlers.ts';
import type { AnyJob } from '../engine/interface/jobs.ts';
import type { ResourceTypes } from '../engine/interface/resource-types.ts';
import { eventJobName, eventName, type NewEvent } from '../storage/jobs.ts';

type Handle = (event: RowEvent<ResourceTypes>, context: unknown) => unknown;

/** Untyped handlers of the events of one resource. */
export interface AnyEventHandlers {
  readonly created?: Handle;
  readonly updated?: Handle | { readonly of: readonly string[]; readonly run: Handle };
  readonly deleted?: Handle;
}

/** Handlers by the keys of resources. */
export type EventHandlersByResource = Readonly<Record<string, AnyEventHandlers | undefined>>;

/** A job, and by which names a server claims it, if those are not its own. */
export interface RunJob extends AnyJob {
  readonly claimedAs?: readonly string[];
}

/** Which changes the handlers are about, by the keys of resources. */
export const consumedBy = (on: EventHandlersByResource): ReadonlyMap<string, Consumed> =>
  new Map(Object.entries(on).map(([key, handlers]) => [key, consumed(handlers ?? {})]));

/** The resources of a contract, and the keys of those that are views. */
export interface HeardResources {
  readonly resources: readonly ResourceDescriptor[];
  readonly views: ReadonlySet<string> | undefined;
}

/** Handlers of events, of whatever shape, that the contract or the database cannot have. */
export const eventFaults = ({ resources, views }: HeardResources, on: unknown): readonly string[] =>
  Object.entries(isPlainObject(on) ? on : {}).flatMap(([key, handlers]) => {
    const resource = resources.find((one) => one.key === key);
    if (!resource) return [`on['${key}']: the contract does not have this resource`];
    if (views?.has(key)) return [`on['${key}']: ${resource.name} is a view, whose rows change without events`];
    const updated = isPlainObject(handlers) ? handlers['updated'] : undefined;
    const named = isPlainObject(updated) && Array.isArray(updated['of']) ? updated['of'] : [];
    return named
      .filter((name) => !resource.properties.some((property) => property.name === name))
      .map((name) => `on['${key}'].updated.of: ${resource.name} has no property ${JSON.stringify(name)}`);
  });

const consumed = ({ created, updated, deleted }: AnyEventHandlers): Consumed => ({
  ...(created && { created: 'any' }),
  ...(updated && { updated: typeof updated === 'function' ? 'any' : new Set(updated.of) }),
  ...(deleted && { deleted: 'any' }),
});

/** A job for each resource whose events are handled. */
export const eventJobs = (resources: readonly ResourceDescriptor[], on: EventHandlersByResource): readonly RunJob[] => {
  const byKey = new Map(resources.map((one) => [one.key, one]));
  return Object.entries(on).map(([key, handlers]) => {
    const handles = handlesOf(handlers ?? {});
    const resource = lookUp(byKey, key);
    return {
      name: eventJobName(key),
      claimedAs: [...handles.keys()].map((kind) => eventName(key, kind)),
      run: (input, context) => {
        const { kind, row, before, version, actor } = input as StoredEvent;
        const event = {
          row: presentRow(resource, row),
          before: presentChanges(resource, before ?? {}),
          version,
          actor,
        };
        return lookUp(handles, kind)(event, context);
      },
    };
  });
};

type StoredEvent = Pick<NewEvent, 'kind' | 'actor'> &
  Pick<RowEvent<ResourceTypes>, 'version'> & {
    readonly row: Readonly<Record<string, unknown>>;
    readonly before: Readonly<Record<string, unknown>> | null;
  };

function handlesOf({ created, updated, deleted }: AnyEventHandlers): ReadonlyMap<NewEvent['kind'], Handle> {
  const run = typeof updated === 'object' ? updated.run : updated;
  return new Map([
    ...(created ? [['created', created] as const] : []),
    ...(run ? [['updated', run] as const] : []),
    ...(deleted ? [['deleted', deleted] as const] : []),
  ]);
}

/** A row that may have waited for a release: without what the contract has lost, and with initial values of what it has got. */
const presentRow = ({ properties }: ResourceDescriptor, row: StoredEvent['row']): object =>
  Object.fromEntries(
    properties.flatMap(({ name, initial }) => {
      const value = Object.hasOwn(row, name) ? row[name] : initial;
      return value === undefined ? [] : [[name, value]];
    }),
  );

const presentChanges = (
  { properties }: ResourceDescriptor,
  before: StoredEvent['row'],
): RowEvent<ResourceTypes>['before'] =>
  Object.fromEntries(properties.flatMap(({ name }) => (Object.hasOwn(before, name) ? [[name, before[name]]] : [])));
