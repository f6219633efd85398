import pg from 'pg';
import type { Service } from './service.ts';
import { type TradeWriter, tradeWriters } from './trade-writers.ts';

/** What writers have come to beside each other. */
export interface Beside {
  /** What no caller may see: old values, errors of the server. */
  readonly faults: readonly string[];
  /** Increments that their writers were told of, and those that the database has; by the name of the row. */
  readonly told: Readonly<Record<string, number>>;
  readonly stored: Readonly<Record<string, number>>;
  /** How many writes of each protocol, and of SQL, have succeeded. */
  readonly writes: Readonly<Record<string, number>>;
}

const LINE = 'B12~7~1';
const ORDER = 'B12~7';

/** Rows whose numbers count the increments of all writers. */
const START = `
  truncate shop.customers cascade;
  insert into shop.customers (code, "Company Name") values ('ALFKI', 'Alfreds');
  insert into shop.orders (shop_code, number, customer, freight) values ('B12', 7, 'ALFKI', 0);
  insert into shop."Order Lines" (shop_code, number, "Line No", "Unit Price") values ('B12', 7, 1, 0)`;

const COUNTS: Readonly<Record<string, string>> = {
  [ORDER]: `select freight from shop.orders where number = 7`,
  [LINE]: `select "Unit Price" from shop."Order Lines" where number = 7`,
};

const NAMES = ['NA', 'NB', 'NC'];

/** Refusals that a caller beside others may meet, and then tries again. */
const MET = new Set(['PRECONDITION_FAILED', 'ALREADY_EXISTS', 'NOT_FOUND', 'REFERENCE_NOT_FOUND', 'STILL_REFERENCED']);

/**
 * Runs writers by SQL, as JPA and as psql do, beside those of all protocols, and readers. `isOver` is asked between the
 * rounds of each.
 */
export async function writeBeside(service: Service, url: string, isOver: (round: number) => boolean): Promise<Beside> {
  const faults: string[] = [];
  const told: Record<string, number> = { [ORDER]: 0, [LINE]: 0 };
  const writes: Record<string, number> = {};
  const count = (row: string, by: string): void => {
    told[row] = (told[row] ?? 0) + 1;
    writes[by] = (writes[by] ?? 0) + 1;
  };
  const clients = [0, 1].map(() => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  const [versioned, blind] = clients as [pg.Client, pg.Client];
  await versioned.query(START);
  const repeat = async (work: (round: number) => Promise<void>): Promise<void> => {
    for (let round = 0; !isOver(round); round++) await work(round);
  };

  /** As JPA writes: a version that another has raised is read again. */
  const byVersion = repeat(async () => {
    const { rows } = await versioned.query('select freight, lock_version from shop.orders where number = 7');
    const [{ freight, lock_version: version }] = rows;
    const { rowCount } = await versioned.query(
      `update shop.orders set freight = $1, lock_version = $2 + 1 where number = 7 and lock_version = $2`,
      [Number(freight) + 1, version],
    );
    if (rowCount === 1) count(ORDER, 'SQL');
  });
  /** As people in psql write, also rows that others make and delete. */
  const byHand = repeat(async (round) => {
    await blind.query('begin');
    await blind.query(`update shop."Order Lines" set "Unit Price" = "Unit Price" + 1 where number = 7`);
    await blind.query('update shop.orders set freight = freight + 1, lock_version = lock_version + 1 where number = 7');
    await blind.query('commit');
    count(LINE, 'SQL');
    count(ORDER, 'SQL');
    const name = NAMES[round % 3]!;
    await blind.query(`delete from shop.customers where code = $1`, [name]).catch((error: pg.DatabaseError) => {
      // Another has made an order of it.
      if (error.code !== '23503' && error.code !== '23001') throw error;
    });
    await blind.query(`insert into shop.customers values ($1, 'by hand') on conflict do nothing`, [name]);
  });

  const increment = async (writer: TradeWriter, type: string, row: string, name: string): Promise<void> => {
    const { body } = await service.request('GET', `/v1/${type === 'Order' ? 'orders' : 'order-lines'}/${row}`);
    const input = { [name]: String(Number(body[name]) + 1) };
    const { code, text } = await writer.update(type, row, input, body.version);
    if (code === undefined) count(row, writer.protocol);
    else if (!MET.has(code)) faults.push(`${writer.protocol}: ${text}`);
  };
  const byProtocol = (writer: TradeWriter) =>
    repeat(async (round) => {
      await increment(writer, 'Order', ORDER, 'freight');
      await increment(writer, 'OrderLine', LINE, 'unitPrice');
      const name = NAMES[round % 3]!;
      for (const { code, text } of [
        await writer.create('Customer', { id: name, companyName: writer.protocol }),
        await writer.create('Order', { shopCode: writer.protocol.slice(0, 3), number: round % 5, customerId: name }),
        await writer.delete('Order', `${writer.protocol.slice(0, 3)}~${round % 5}`),
        await writer.delete('Customer', name),
      ])
        if (code !== undefined && !MET.has(code)) faults.push(`${writer.protocol}: ${text}`);
    });

  /** What was told before a request must be in its answer; an unchanged tag says that it was in an earlier one. */
  const tags = new Map<string, number>();
  const byReader = repeat(async () => {
    for (const [path, row, name] of [
      [`/v1/orders/${ORDER}`, ORDER, 'freight'],
      [`/v1/order-lines/${LINE}`, LINE, 'unitPrice'],
      ['/v1/orders?customerId=ALFKI', ORDER, 'freight'],
      [`/v1/order-lines?orderId=${ORDER}`, LINE, 'unitPrice'],
    ] as const) {
      const before = told[row] ?? 0;
      const known = [...tags.keys()].filter((tag) => tag.startsWith(path)).map((tag) => tag.slice(path.length));
      const headers = known.length > 0 ? { 'if-none-match': known.slice(-3).join(', ') } : {};
      const reply = await service.request('GET', path, { headers });
      const tag = `${path}${reply.headers['etag']}`;
      const shown = reply.status === 304 ? undefined : (reply.body.data?.[0] ?? reply.body);
      const value = shown ? Number(shown[name]) : (tags.get(tag) ?? -1);
      if (reply.status >= 400 || value < before) faults.push(`${path}: ${reply.status} ${value}, not ${before}`);
      tags.set(tag, value);
    }
    const before = { ...told };
    const { data, errors } = await service.graphql(
      `{ order(id: "${ORDER}") { freight orderLinesByOrder(first: 1) { nodes { unitPrice } } } }`,
    );
    const values = [data?.order?.freight, data?.order?.orderLinesByOrder.nodes[0]?.unitPrice].map(Number);
    if (errors || !(values[0]! >= before[ORDER]! && values[1]! >= before[LINE]!))
      faults.push(`GraphQL: ${JSON.stringify(errors ?? values)}, not ${JSON.stringify(before)}`);
  });

  try {
    await Promise.all([byVersion, byHand, byReader, ...tradeWriters(() => service).map(byProtocol)]);
    const stored: Record<string, number> = {};
    for (const [row, sql] of Object.entries(COUNTS)) {
      const { rows } = await blind.query({ text: sql, rowMode: 'array' });
      stored[row] = Number(rows[0]?.[0]);
    }
    return { faults, told, stored, writes };
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
