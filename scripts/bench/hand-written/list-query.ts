import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SQLInputValue } from 'node:sqlite';
import { HttpProblem } from './problem.ts';
import type { ListOptions, Product } from './product-store.ts';

export type ListQuery = Readonly<Record<string, string | number | undefined>> & { readonly limit: number };

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
const SORT_COLUMNS = { price: 'price', name: 'name', stock: 'stock', createdAt: 'created_at' } as const;
const MAC_BYTES = 16;

const key = randomBytes(32);

/** Reads one row more than the page, to see whether another page follows. */
export function listOptions(query: ListQuery): ListOptions {
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (condition: string, ...added: SQLInputValue[]) => {
    conditions.push(condition);
    values.push(...added);
  };
  const { status, sku, currency, sort, cursor, limit } = query;
  if (status !== undefined) {
    const states = String(status).split(',');
    add(`status in (${states.map(() => '?').join(', ')})`, ...states);
  }
  if (sku !== undefined) add('sku = ?', sku);
  if (currency !== undefined) add('currency = ?', currency);
  if (query['name[contains]'] !== undefined) add('instr(lower(name), lower(?)) > 0', query['name[contains]']);
  for (const column of ['price', 'stock']) {
    for (const [name, operator] of Object.entries(OPERATORS)) {
      const bound = query[`${column}[${name}]`];
      if (bound !== undefined) add(`${column} ${operator} ?`, bound);
    }
  }
  const direction = String(sort).startsWith('-') ? 'desc' : 'asc';
  const column = sort === undefined ? 'id' : SORT_COLUMNS[propertyOf(sort)];
  const after = cursor === undefined ? undefined : decodeCursor(String(cursor), identityOf(query));
  return { conditions, values, column, direction, after, limit: limit + 1 };
}

/** Signs the position where the next page starts; it is valid for this query only. */
export function nextCursor(query: ListQuery, last: Product): string {
  const position = query['sort'] === undefined ? [last.id] : [last[propertyOf(query['sort'])], last.id];
  const payload = Buffer.from(JSON.stringify(position));
  return Buffer.concat([seal(payload, identityOf(query)), payload]).toString('base64url');
}

function decodeCursor(cursor: string, identity: string): SQLInputValue[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(MAC_BYTES);
  const isOurs = bytes.length > MAC_BYTES && timingSafeEqual(bytes.subarray(0, MAC_BYTES), seal(payload, identity));
  if (isOurs) return JSON.parse(payload.toString()) as SQLInputValue[];
  throw new HttpProblem(400, 'INVALID_CURSOR', 'Invalid cursor', 'The cursor was not issued by this list.');
}

const propertyOf = (sort: string | number): keyof typeof SORT_COLUMNS =>
  String(sort).replace('-', '') as keyof typeof SORT_COLUMNS;

const identityOf = ({ limit: _, cursor: __, ...query }: ListQuery): string => JSON.stringify(query);

const seal = (payload: Buffer, identity: string): Buffer =>
  createHmac('sha256', key).update(identity).update('\0').update(payload).digest().subarray(0, MAC_BYTES);
