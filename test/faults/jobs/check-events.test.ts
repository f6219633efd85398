import { expect, it } from 'vitest';
import { CommitLog } from '../histories/commit-log.ts';
import type { Entry } from '../histories/history.ts';
import { countFaults, eventFaults, type Handled } from './check-events.ts';

const entry = (version: number, name: string, operation: Entry['operation'] = 'update', unitsSold = 0): Entry => ({
  ...{ position: version + (operation === 'delete' ? 1 : 0), writer: 'instance 1', table: 'products', operation },
  row: { id: 'p', version, name, units_sold: unitsSold },
});
const handled = (kind: Handled['kind'], version: number, name: string): Handled => ({ kind, id: 'p', version, name });

const log = new CommitLog([entry(1, 'a', 'insert'), entry(2, 'b'), entry(3, 'b'), entry(4, 'c', 'update', 2)]);
const all = [handled('created', 1, 'a'), handled('updated', 2, 'b'), handled('updated', 4, 'c')];

it('events that were handled in their order are right, also more than once', () => {
  expect(eventFaults(log, all)).toEqual([]);
  expect(eventFaults(log, [...all, all[1]!])).toEqual([]);
  const gone = new CommitLog([...log.entries, entry(4, 'c', 'delete')]);
  expect(eventFaults(gone, [...all, handled('deleted', 4, 'c')])).toEqual([]);
});

it.each<[string, readonly Handled[], string]>([
  ['lost', [all[0]!, all[2]!], 'p: updated 2 b was not handled'],
  ['out of order', [all[0]!, all[2]!, all[1]!], 'p: updated 4 c was handled out of order'],
  ['of another version', [...all, handled('updated', 5, 'd')], 'p: updated 5 d was handled, and not committed'],
  ['without an event', [...all, handled('updated', 3, 'b')], 'p: updated 3 b was handled, and not committed'],
  ['of no row', [...all, { ...all[0]!, id: 'q' }], 'q: handled, and never committed'],
])('events that were %s are found', (_, heard, fault) => {
  expect(eventFaults(log, heard)).toEqual([fault]);
});

it('writes that are made with the end of a job are counted once', () => {
  expect(countFaults(log)).toEqual([]);
  expect(countFaults(new CommitLog([...log.entries.slice(0, 3), entry(4, 'c', 'update', 3)]))).toEqual([
    'p: 2 names were counted 3 times',
  ]);
});
