import { describe, expect, it } from 'vitest';
import { readFaults } from './check-reads.ts';
import { lastEventFaults, streamFaults } from './check-streams.ts';
import { logFaults, writeFaults } from './check-writes.ts';
import { CommitLog } from './commit-log.ts';
import type { Attempt, Entry, Heard, Read, Stream } from './history.ts';

const CREATED_AT = '2026-01-01T00:00:00.123Z';

/** A product in a version, as the log has it. */
const product = (
  version: number,
  name: string,
  values: Partial<Omit<Entry, 'row'>> & { row?: object } = {},
): Entry => ({
  position: version,
  writer: 'instance 1',
  table: 'products',
  operation: version === 1 ? 'insert' : 'update',
  ...values,
  row: {
    id: 'p',
    version,
    name,
    description: name,
    stock: 10,
    created_at: '2026-01-01T00:00:00.123+00:00',
    ...values.row,
  },
});

/** Two changes of a product, each under its mark. */
const two = [product(1, 'a'), product(2, 'b', { writer: 'instance 2' })];
const logOf = (...entries: readonly Entry[]) => new CommitLog(entries);

const attempt = (mark: string, version: number, values: Partial<Attempt> = {}): Attempt => ({
  mark,
  table: 'products',
  operation: version === 1 ? 'insert' : 'update',
  sentMs: 10 * version,
  outcome: 'done',
  body: { id: 'p', version, name: mark, createdAt: CREATED_AT },
  ...values,
});
const both = [attempt('a', 1), attempt('b', 2)];

describe('writes', () => {
  it('that are in the log as they were acknowledged are right', () => {
    expect(writeFaults(logOf(...two), both)).toEqual([]);
    expect(
      writeFaults(logOf(...two), [attempt('a', 1), attempt('b', 2, { outcome: 'unknown', body: undefined })]),
    ).toEqual([]);
  });

  it('that were acknowledged and are not there are lost', () => {
    expect(writeFaults(logOf(two[0]!), both)).toEqual(['b: acknowledged and lost']);
  });

  it('that are there twice are doubled', () => {
    expect(writeFaults(logOf(...two, product(3, 'a')), both)).toEqual(['a: written 2 times']);
  });

  it('that were refused are not there, unless a repetition was not', () => {
    const refused = attempt('b', 2, { outcome: 'refused', body: undefined });
    expect(writeFaults(logOf(...two), [both[0]!, refused])).toEqual(['b: refused and written']);
    expect(writeFaults(logOf(...two), [...both, refused])).toEqual([]);
  });

  it('were asked for by somebody', () => {
    expect(writeFaults(logOf(...two), [both[0]!])).toEqual(['b: nobody has written it']);
  });

  it('have the values that were acknowledged', () => {
    const other = attempt('b', 2, { body: { id: 'p', version: 2, name: 'b', stock: 9, createdAt: CREATED_AT } });
    expect(writeFaults(logOf(...two), [both[0]!, other])).toEqual(['b: acknowledged with stock 9 for 10']);
  });

  it('apply to the version that they were meant for', () => {
    const late = attempt('b', 2, { ifVersion: 4 });
    expect(writeFaults(logOf(...two), [both[0]!, late])).toEqual(['b: acknowledged with version 2 was to follow 4']);
  });

  it('are answered alike when they are repeated', () => {
    const [first, second] = [attempt('a', 1, { answer: '[1]' }), attempt('a', 1, { answer: '[2]' })];
    expect(writeFaults(logOf(two[0]!), [first, first])).toEqual([]);
    expect(writeFaults(logOf(two[0]!), [first, second])).toEqual([
      'a: a repetition was answered differently: [1] | [2]',
    ]);
  });

  it('that delete do so, once, or not at all', () => {
    const deletion = (outcome: Attempt['outcome']) => attempt('', 2, { operation: 'delete', id: 'p', outcome });
    const deleted = logOf(two[0]!, product(1, 'a', { position: 2, operation: 'delete' }));
    const kept = logOf(two[0]!);
    const faults = (log: CommitLog, ...outcomes: Attempt['outcome'][]) =>
      writeFaults(log, [both[0]!, ...outcomes.map(deletion)]);
    expect(faults(deleted, 'done')).toEqual([]);
    expect(faults(deleted, 'unknown', 'refused')).toEqual([]);
    expect(faults(kept, 'unknown')).toEqual([]);
    expect(faults(kept, 'done')).toEqual(['p: its deletion was acknowledged and lost']);
    expect(faults(deleted, 'refused')).toEqual(['p: its deletion was refused and done']);
    expect(faults(deleted, 'done', 'done')).toEqual(['p: deleted 2 times']);
  });
});

describe('the log', () => {
  const order = (version: number, total: number, position: number): Entry =>
    product(version, '', { table: 'orders', position, row: { id: 'o', version, note: 'n', total } });
  const item = (position: number): Entry =>
    product(1, '', {
      table: 'orders_items',
      position,
      row: { id: 'i', order_id: 'o', product_id: 'p', quantity: 2, unit_price: 5 },
    });

  it('counts versions up', () => {
    expect(logFaults(logOf(...two))).toEqual([]);
    expect(logFaults(logOf(two[0]!, product(3, 'b')))).toEqual(['p: version 3 in the place of 2']);
    expect(
      logFaults(
        logOf(two[0]!, product(1, 'a', { position: 2, operation: 'delete' }), product(2, 'b', { position: 3 })),
      ),
    ).toEqual(['p: written after its deletion']);
  });

  it('has no half of a row', () => {
    expect(logFaults(logOf(product(1, 'a', { row: { description: 'b' } })))).toEqual([
      'p: half of a write in version 1',
    ]);
  });

  it('has no half of a transaction', () => {
    const sold = product(2, 'a', { position: 4, row: { stock: 8 } });
    expect(logFaults(logOf(two[0]!, order(1, 0, 2), item(3), sold, order(2, 10, 5)))).toEqual([]);
    expect(logFaults(logOf(two[0]!, order(1, 0, 2), item(3), sold, order(2, 0, 5)))).toEqual([
      'o: total 0 in version 2, and items of 10',
    ]);
    expect(logFaults(logOf(two[0]!, order(1, 0, 2), item(3), order(2, 10, 5)))).toEqual([
      'p: 0 taken from stock, and items of 2',
    ]);
  });
});

describe('reads', () => {
  const log = logOf(...two);
  const read = (values: Partial<Read>): Read => ({ how: 'read', id: 'p', body: both[1]!.body, ...values });

  it('find what was committed', () => {
    expect(readFaults(log, [read({}), read({ body: both[0]!.body }), read({ atLeast: 2 })])).toEqual([]);
    expect(readFaults(log, [read({ body: { version: 3, name: 'c' } })])).toEqual([
      'p: read version 3, which was never committed',
    ]);
    expect(readFaults(log, [read({ body: { version: 2, name: 'a' } })])).toEqual([
      'p: read version 2 with name a for b',
    ]);
  });

  it('do not go back behind what was acknowledged', () => {
    expect(readFaults(log, [read({ body: both[0]!.body, atLeast: 2 })])).toEqual(['p: read version 1 after 2']);
    expect(readFaults(log, [read({ atLeast: 'deleted' })])).toEqual(['p: read version 2 after its deletion']);
  });

  it('miss nothing but what was deleted', () => {
    const deleted = logOf(...two, product(2, 'b', { position: 3, operation: 'delete' }));
    expect(readFaults(deleted, [read({ body: undefined })])).toEqual([]);
    expect(readFaults(log, [read({ body: undefined })])).toEqual(['p: read nothing, though nobody has deleted it']);
  });
});

describe('streams', () => {
  const three = [...two, product(3, 'c', { writer: 'instance 1' }), product(4, 'd', { writer: 'instance 1' })];
  const log = logOf(...three);
  const all = [...both, attempt('c', 3), attempt('d', 4)];
  const event = (version: number, atMs = 10 * version + 5): Heard => ({
    atMs,
    body: { id: 'p', version, name: 'abcd'[version - 1] },
  });
  const missed: Heard = { atMs: 0, body: 'EVENTS_MISSED' };
  const stream = (heard: readonly Heard[], values: Partial<Stream> = {}): Stream => ({
    instance: 'instance 1',
    transport: 'WebSocket',
    field: 'productUpdated',
    heard: [...heard],
    isOpen: true,
    ...values,
  });
  const faults = (heard: readonly Heard[], values?: Partial<Stream>) =>
    streamFaults(log, all, [stream(heard, values)]).map((fault) => fault.split(': ')[1]);

  it('that show all changes in the order of versions are right', () => {
    expect(faults([event(2), event(3), event(4)])).toEqual([]);
    expect(faults([])).toEqual([]);
  });

  it('may show changes by several instances in any order, those by one in that of versions', () => {
    expect(faults([event(3), event(2), event(4)])).toEqual([]);
    expect(faults([event(2), event(4), event(3)])).toEqual(['version 3 of p by instance 1 came after 4']);
  });

  it('show nothing twice', () => {
    expect(faults([event(2), event(2), event(3), event(4)])).toEqual(['version 2 of p came twice']);
  });

  it('show what was committed', () => {
    const uncommitted: Heard = { atMs: 99, body: { id: 'p', version: 9 } };
    expect(faults([event(2), event(3), event(4), uncommitted])).toEqual(['{"id":"p","version":9} was never committed']);
    expect(faults([event(2)], { field: 'orderCreated' })).toEqual(['an update of p']);
    expect(faults([{ atMs: 9, body: 'p' }], { field: 'orderDeleted' })).toEqual(['"p" was never committed']);
  });

  it('show all that was asked for since they were open and acknowledged, unless they say that they may have missed some', () => {
    expect(faults([event(2), event(4)])).toEqual(['version 3 of p was not told']);
    expect(faults([event(2), event(4)], { isOpen: false })).toEqual([]);
    expect(faults([event(2), missed, event(4)])).toEqual([]);
    expect(faults([event(2, 35), event(4)])).toEqual([]);
    const unknown = all.map((one) => (one.mark === 'c' ? { ...one, outcome: 'unknown' as const } : one));
    expect(streamFaults(log, unknown, [stream([event(2), event(4)])])).toEqual([]);
  });

  it('end with the last version', () => {
    expect(lastEventFaults(log, [stream([event(3), event(4)])])).toEqual([]);
    expect(lastEventFaults(log, [stream([event(4), event(2)])])).toEqual(['instance 1: version 2 of p came last']);
    expect(lastEventFaults(log, [stream([event(4), event(2)], { isOpen: false })])).toEqual([]);
  });
});
