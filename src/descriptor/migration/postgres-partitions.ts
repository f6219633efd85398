import { partOf, type Table } from '../table.ts';
import { quote } from './literal.ts';
import type { Step } from './step.ts';

/** One of the steps that make an index; the first has no words of its own. */
export type IndexPart = Pick<Step, 'sql' | 'isConcurrent' | 'rows' | 'lock' | 'each' | 'undo'> & {
  readonly part?: string;
};

interface NewIndex {
  readonly name: string;
  readonly isUnique?: boolean;
  /** What follows the name of the table: `(garden_id, code)`. */
  readonly keys: string;
  /** Microseconds that a row takes. */
  readonly usPerRow: number;
}

/**
 * Makes an index. In a table with rows, writes go on. Partitions then get theirs one by one, as Postgres has no other way
 * (PostgreSQL, 5.11.2.2). What is there of an earlier attempt is made again.
 */
export function indexSteps(table: Table, { name, isUnique, keys, usPerRow }: NewIndex, isFilled: boolean): IndexPart[] {
  const { name: on, partitions } = table;
  const create = (how: string, one: string, where: string): string =>
    `create ${isUnique ? 'unique ' : ''}index ${how}${quote(one)} on ${where} ${keys}`;
  const rows = { table: on, usPerRow };
  if (partitions.length === 0)
    return [
      {
        sql: create(isFilled ? 'concurrently ' : '', name, quote(on)),
        isConcurrent: isFilled,
        ...(isFilled && { rows }),
      },
    ];
  const parts = partitions.map((partition, i) => ({ partition: quote(partition), part: partOf(name, i) }));
  const whole = create('', name, `only ${quote(on)}`);
  const attach = parts.map(({ part }) => `alter index ${quote(name)} attach partition ${quote(part)}`);
  if (!isFilled) {
    const made = parts.map(({ partition, part }) => create('', part, partition));
    return [{ sql: [whole, ...made, ...attach].join(';\n'), isConcurrent: false }];
  }
  const each = parts.flatMap(({ partition, part }) => [
    `drop index concurrently if exists ${quote(part)}`,
    create('concurrently ', part, partition),
  ]);
  const lock = { mode: 'share row exclusive', tables: [on] } as const;
  return [
    { sql: whole, lock },
    {
      part: `of each partition`,
      sql: each.join(';\n'),
      each,
      isConcurrent: true,
      rows,
      undo: [name, ...parts.map(({ part }) => part)].map((one) => `drop index if exists ${quote(one)}`),
    },
    { part: 'as one', sql: attach.join('; '), lock },
  ];
}

/** Drops an index; that of a table in partitions with a lock, since it cannot be dropped concurrently. */
export const indexDrop = ({ name: on, partitions }: Table, name: string, isFilled: boolean): IndexPart =>
  partitions.length > 0
    ? { sql: `drop index ${quote(name)}`, lock: { mode: 'access exclusive', tables: [on] } }
    : { sql: `drop index ${isFilled ? 'concurrently ' : ''}${quote(name)}`, isConcurrent: isFilled };

/** Makes the partitions of a new table. */
export const partitionsOf = ({ name, partitions }: Table): string[] =>
  partitions.map(
    (partition, i) =>
      `create table ${quote(partition)} partition of ${quote(name)} for values with (modulus ${partitions.length}, remainder ${i})`,
  );
