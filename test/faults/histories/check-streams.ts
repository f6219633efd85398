import { type CommitLog, differences, idOf, versionOf } from './commit-log.ts';
import { type Attempt, type Entry, type EventField, type Heard, MISSED, type Stream } from './history.ts';

const isEvent = ({ body }: Heard): boolean => body !== MISSED;

/** What a stream has heard since it said that events may have been missed. */
export function sinceMissed({ heard }: Stream): readonly Heard[] {
  return heard.slice(heard.findLastIndex((one) => !isEvent(one)) + 1).filter(isEvent);
}

/** The change of a row that an event shows. */
function entryOf(log: CommitLog, field: EventField, { body }: Heard): Entry | undefined {
  if (field !== 'orderDeleted') return log.at(body.id, body.version);
  return log.isDeleted(body) ? log.last(body) : undefined;
}

/**
 * Events show what was committed, each change once, those of a row by one instance in the order of its versions; a stream
 * that is still open has all of them since it was last said to have missed some.
 */
export function streamFaults(log: CommitLog, attempts: readonly Attempt[], streams: readonly Stream[]): string[] {
  const sent = sendingTimes(attempts);
  return streams.flatMap((stream) =>
    [...eventFaults(log, stream), ...orderFaults(log, stream), ...(stream.isOpen ? gaps(log, sent, stream) : [])].map(
      (fault) => `${stream.field} of ${stream.instance} over ${stream.transport}: ${fault}`,
    ),
  );
}

function eventFaults(log: CommitLog, { field, heard }: Stream): string[] {
  return heard.filter(isEvent).flatMap((event) => {
    const entry = entryOf(log, field, event);
    if (!entry) return [`${JSON.stringify(event.body)} was never committed`];
    if (entry.operation !== OPERATION[field]) return [`an ${entry.operation} of ${idOf(entry)}`];
    const different = field === 'orderDeleted' ? [] : differences(event.body, entry);
    return different.map((difference) => `${idOf(entry)} with ${difference}`);
  });
}

const OPERATION: Readonly<Record<EventField, Entry['operation']>> = {
  productUpdated: 'update',
  orderCreated: 'insert',
  orderUpdated: 'update',
  orderDeleted: 'delete',
};

/** Each event comes once, and behind those of lower versions by the same instance. */
function orderFaults(log: CommitLog, { field, heard }: Stream): string[] {
  const entries = heard.filter(isEvent).flatMap((event) => entryOf(log, field, event) ?? []);
  const seen = new Set<Entry>();
  const last = new Map<string, number>();
  return entries.flatMap((entry) => {
    const writer = `${idOf(entry)} by ${entry.writer}`;
    const [version, before] = [versionOf(entry), last.get(writer) ?? 0];
    last.set(writer, Math.max(version, before));
    if (seen.has(entry)) return [`version ${version} of ${idOf(entry)} came twice`];
    seen.add(entry);
    return version < before ? [`version ${version} of ${writer} came after ${before}`] : [];
  });
}

/** When the first request was sent that could have made a change, by its mark or, of a deletion, by its row. */
function sendingTimes(attempts: readonly Attempt[]): ReadonlyMap<string, Attempt> {
  const first = new Map<string, Attempt>();
  for (const attempt of attempts) {
    const key = attempt.operation === 'delete' ? attempt.id! : attempt.mark;
    const known = first.get(key);
    first.set(key, { ...(known ?? attempt), outcome: known?.outcome === 'done' ? 'done' : attempt.outcome });
  }
  return first;
}

/** Acknowledged changes that were asked for when the stream was surely open, and that it has not shown. */
function gaps(log: CommitLog, sent: ReadonlyMap<string, Attempt>, stream: Stream): string[] {
  const events = sinceMissed(stream);
  if (events.length === 0) return [];
  const shown = new Set(events.map((event) => entryOf(log, stream.field, event)));
  const [table, operation] = [stream.field.startsWith('product') ? 'products' : 'orders', OPERATION[stream.field]];
  return [...sent]
    .filter(([, { sentMs, outcome }]) => outcome === 'done' && sentMs > events[0]!.atMs)
    .map(([key]) => (operation === 'delete' ? log.last(key) : log.marked.get(key)?.[0]))
    .filter((entry) => entry?.table === table && entry.operation === operation && !shown.has(entry))
    .map((entry) => `version ${versionOf(entry!)} of ${idOf(entry!)} was not told`);
}

/** Where nothing is written any more, the last event of each row has its last version. */
export function lastEventFaults(log: CommitLog, streams: readonly Stream[]): string[] {
  return streams
    .filter(({ field, isOpen }) => field === 'productUpdated' && isOpen)
    .flatMap((stream) =>
      [...new Map(sinceMissed(stream).map(({ body }) => [body.id, body.version]))]
        .filter(([id, version]) => versionOf(log.last(id)!) !== version)
        .map(([id, version]) => `${stream.instance}: version ${version} of ${id} came last`),
    );
}
