import { type CommitLog, idOf, versionOf } from '../histories/commit-log.ts';
import type { Entry } from '../histories/history.ts';

/** What a handler was called with. */
export interface Handled {
  readonly kind: 'created' | 'updated' | 'deleted';
  readonly id: string;
  readonly version: number;
  readonly name: string;
}

const KINDS = { insert: 'created', update: 'updated', delete: 'deleted' } as const;

/** Each committed change was handled, those of a row in their order, and nothing else was. `handled`: in the order of its beginnings. */
export function eventFaults(log: CommitLog, handled: readonly Handled[]): string[] {
  const products = [...log.rows].filter(([, [first]]) => first?.table === 'products');
  const byRow = Map.groupBy(handled, ({ id }) => id);
  const strange = [...byRow.keys()].filter((id) => !log.rows.has(id));
  return [
    ...strange.map((id) => `${id}: handled, and never committed`),
    ...products.flatMap(([id, entries]) => rowFaults(id, expectedOf(entries), byRow.get(id) ?? [])),
  ];
}

/** The changes that are handled: those of other properties than the name are not. */
const expectedOf = (entries: readonly Entry[]): readonly Handled[] =>
  entries.flatMap((entry, i) => {
    const { operation, row } = entry;
    if (operation === 'update' && row['name'] === entries[i - 1]?.row['name']) return [];
    return [{ kind: KINDS[operation], id: idOf(entry), version: versionOf(entry), name: String(row['name']) }];
  });

const text = ({ kind, version, name }: Handled): string => `${kind} ${version} ${name}`;

function rowFaults(id: string, expected: readonly Handled[], handled: readonly Handled[]): readonly string[] {
  // Each may be handled again; in which order, its first time decides.
  const first = [...new Set(handled.map(text))];
  const wanted = expected.map(text);
  const missing = wanted.filter((one) => !first.includes(one)).map((one) => `${id}: ${one} was not handled`);
  const undone = first
    .filter((one) => !wanted.includes(one))
    .map((one) => `${id}: ${one} was handled, and not committed`);
  const inOrder = wanted.filter((one) => first.includes(one));
  const known = first.filter((one) => wanted.includes(one));
  const late = known.filter((one, i) => one !== inOrder[i]);
  return [...missing, ...undone, ...late.slice(0, 1).map((one) => `${id}: ${one} was handled out of order`)];
}

/** How often each new name was counted in its row, which is still there: once. */
export function countFaults(log: CommitLog): string[] {
  return [...log.rows].flatMap(([id, entries]) => {
    const [last, names] = [entries.at(-1), expectedOf(entries).filter(({ kind }) => kind === 'updated').length];
    if (last?.table !== 'products' || last.operation === 'delete') return [];
    const counted = Number(last.row['units_sold']);
    return counted === names ? [] : [`${id}: ${names} names were counted ${counted} times`];
  });
}
