import { type CommitLog, differences, idOf, versionOf } from './commit-log.ts';
import type { Attempt, Entry } from './history.ts';

/** What was acknowledged is in the log, once and as it was acknowledged; what was refused is not; nothing else is. */
export function writeFaults(log: CommitLog, attempts: readonly Attempt[]): string[] {
  const marked = attempts.filter(({ operation }) => operation !== 'delete');
  const deletions = attempts.filter(({ operation }) => operation === 'delete');
  const asked = new Set(marked.map(({ mark }) => mark));
  return [
    ...[...Map.groupBy(marked, ({ mark }) => mark)].flatMap(([mark, same]) => markFaults(log, mark, same)),
    ...[...Map.groupBy(deletions, ({ id }) => id!)].flatMap(([id, same]) => deletionFaults(log, id, same)),
    ...[...log.marked.keys()].filter((mark) => !asked.has(mark)).map((mark) => `${mark}: nobody has written it`),
  ];
}

function markFaults(log: CommitLog, mark: string, attempts: readonly Attempt[]): string[] {
  const written = log.marked.get(mark) ?? [];
  const done = attempts.filter(({ outcome }) => outcome === 'done');
  const faults: string[] = [];
  if (written.length > 1) faults.push(`${mark}: written ${written.length} times`);
  if (done.length > 0 && written.length === 0) faults.push(`${mark}: acknowledged and lost`);
  if (attempts.every(({ outcome }) => outcome === 'refused') && written.length > 0)
    faults.push(`${mark}: refused and written`);
  const answers = new Set(done.flatMap(({ answer }) => answer ?? []));
  if (answers.size > 1) faults.push(`${mark}: a repetition was answered differently: ${[...answers].join(' | ')}`);
  const entry = written[0];
  return entry ? [...faults, ...done.flatMap((one) => acknowledgementFaults(one, entry))] : faults;
}

function acknowledgementFaults({ mark, operation, ifVersion, body }: Attempt, entry: Entry): string[] {
  const faults = differences(body, entry);
  if (operation !== entry.operation) faults.push(`${operation} was an ${entry.operation}`);
  if (ifVersion !== undefined && versionOf(entry) !== ifVersion + 1)
    faults.push(`version ${versionOf(entry)} was to follow ${ifVersion}`);
  return faults.map((fault) => `${mark}: acknowledged with ${fault}`);
}

function deletionFaults(log: CommitLog, id: string, attempts: readonly Attempt[]): string[] {
  const isDeleted = log.isDeleted(id);
  const done = attempts.filter(({ outcome }) => outcome === 'done');
  if (done.length > 1) return [`${id}: deleted ${done.length} times`];
  if (done.length > 0 && !isDeleted) return [`${id}: its deletion was acknowledged and lost`];
  if (attempts.every(({ outcome }) => outcome === 'refused') && isDeleted)
    return [`${id}: its deletion was refused and done`];
  return [];
}

/** Versions count up by one, and what one transaction writes is whole: both columns, and the rows of several tables. */
export function logFaults(log: CommitLog): string[] {
  return [...[...log.rows].flatMap(([id, entries]) => sequenceFaults(id, entries)), ...halves(log), ...totals(log)];
}

function sequenceFaults(id: string, entries: readonly Entry[]): string[] {
  return entries.flatMap((entry, i) => {
    const before = entries[i - 1];
    const expected = (before ? versionOf(before) : 0) + (entry.operation === 'delete' ? 0 : 1);
    if (before?.operation === 'delete') return [`${id}: written after its deletion`];
    return versionOf(entry) === expected ? [] : [`${id}: version ${versionOf(entry)} in the place of ${expected}`];
  });
}

const halves = ({ entries }: CommitLog): string[] =>
  entries
    .filter(({ table, row }) => table === 'products' && row['name'] !== row['description'])
    .map((entry) => `${idOf(entry)}: half of a write in version ${versionOf(entry)}`);

/** An order is written behind its items, in the same transaction; what products have less is in the items. */
function totals(log: CommitLog): string[] {
  const prices = new Map<unknown, number>();
  const units = new Map<unknown, number>();
  const add = (sums: Map<unknown, number>, key: unknown, amount: number) =>
    sums.set(key, (sums.get(key) ?? 0) + amount);
  const faults = log.entries.flatMap((entry) => {
    const { table, operation, row } = entry;
    if (table === 'orders_items') {
      const quantity = Number(row['quantity']) * (operation === 'delete' ? -1 : 1);
      add(prices, row['order_id'], quantity * Number(row['unit_price']));
      add(units, row['product_id'], quantity);
    }
    if (table !== 'orders' || operation === 'delete') return [];
    const total = prices.get(row['id']) ?? 0;
    if (total === Number(row['total'])) return [];
    return [`${row['id']}: total ${row['total']} in version ${versionOf(entry)}, and items of ${total}`];
  });
  return [...faults, ...[...log.rows].flatMap(([id, entries]) => stockFaults(id, entries, units.get(id) ?? 0))];
}

function stockFaults(id: string, entries: readonly Entry[], units: number): string[] {
  const [first, last] = [entries[0]!, entries.at(-1)!];
  const taken = Number(first.row['stock']) - Number(last.row['stock']);
  return first.table !== 'products' || taken === units
    ? []
    : [`${id}: ${taken} taken from stock, and items of ${units}`];
}
