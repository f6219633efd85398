import { hash } from 'node:crypto';
import { joinId, splitId } from '../../descriptor/composite-id.ts';
import {
  idProperty,
  isIdCounted,
  type PropertyDescriptor,
  type ResourceDescriptor,
} from '../../descriptor/resource.ts';
import { besideRows, readingFrom } from './reading-from.ts';
import type { Row, Store, StoredValue, Transaction } from './store.ts';
import { StoreError } from './store-error.ts';

/** The resources with tables of Lockstep in place of those that a contract maps. */
export const withOwnTables = (resources: readonly ResourceDescriptor[]): readonly ResourceDescriptor[] =>
  resources.map(({ mapped, ...resource }) =>
    mapped
      ? { ...resource, properties: resource.properties.map(({ columns: _columns, zone: _zone, ...own }) => own) }
      : resource,
  );

type Values = Readonly<Record<string, unknown>>;

/** Does for the rows of a table of Lockstep what the mapped table would do. */
export class StandIn {
  readonly #resource: ResourceDescriptor;
  readonly #columned: readonly PropertyDescriptor[];
  readonly #idColumns: ReadonlySet<string>;

  constructor(resource: ResourceDescriptor) {
    const { columns = [] } = idProperty(resource);
    this.#resource = resource;
    this.#columned = resource.properties.filter((one) => one.columns !== undefined);
    this.#idColumns = new Set(columns.length > 1 ? columns : []);
  }

  /**
   * Values in which properties agree that share a column: references decide, `changed` ones first, and the id follows. Undefined
   * if references disagree.
   */
  agreed(values: Values, changed: readonly string[] = []): Values | undefined {
    const texts = new Map<string, string>();
    const weight = ({ name, references }: PropertyDescriptor): number =>
      (name === 'id' ? 4 : 0) + (changed.includes(name) ? 0 : 2) + (references ? 0 : 1);
    for (const property of this.#columned.toSorted((one, other) => weight(one) - weight(other)))
      for (const [column, text] of partsOf(property, values[property.name]))
        if (!texts.has(column)) texts.set(column, text);
    const agreed: Record<string, unknown> = { ...values };
    for (const property of this.#columned) {
      const { name, columns = [], references, nullable } = property;
      const parts = columns.map((column) => texts.get(column));
      if (!parts.every((part) => part !== undefined)) continue;
      const text = columns.length === 1 ? String(parts[0]) : joinId(parts);
      if (values[name] != null && String(values[name]) === text) continue;
      if (values[name] == null || !references) agreed[name] = typed(property, text);
      else if (nullable) agreed[name] = null;
      else return undefined;
    }
    return agreed;
  }

  /** Throws `StoreError` `disagreement` if two properties of these names give a column two values, as the mapped table would. */
  checkAgreement(row: Row, names: readonly string[]): void {
    const values = this.#valuesOf(row);
    const found = new Map<string, { readonly text: string; readonly by: string }>();
    for (const property of this.#columned) {
      const { name } = property;
      if (!names.includes(name) || (name === 'id' && this.#idColumns.size > 0)) continue;
      for (const [column, text] of partsOf(property, values[name])) {
        const other = found.get(column);
        if (other && other.text !== text)
          throw new StoreError({ kind: 'disagreement', properties: [other.by, name] }, new Error('two values'));
        found.set(column, { text, by: name });
      }
    }
  }

  /** The version of a row: of a hash, one that fits the other values. */
  version(values: Values): Values {
    const [version] = this.#resource.properties.filter(({ name }) => name === 'version');
    if (version?.type !== 'string') return values;
    const { version: _version, ...others } = values;
    return { ...values, version: hash('sha256', JSON.stringify(others), 'hex').slice(0, 32) };
  }

  /** A new row in which only the id may be missing, if the database counts it. `isTaken`: another row has this id. */
  async completed(row: Row, count: () => Promise<number>, isTaken: (id: string) => Promise<boolean>): Promise<Row> {
    const given = this.#valuesOf(row);
    const agreed = this.agreed(given) ?? given;
    const missing = this.#missingFrom(agreed);
    if (missing.length === 0) return this.#inserted(agreed);
    for (let n = (await count()) + 1; ; n++) {
      const made = Object.fromEntries(missing.map((property) => [property.name, madeUp(property, n)]));
      const values = this.agreed({ ...given, ...made }) ?? given;
      const isFree = agreed['id'] != null || values['id'] == null || !(await isTaken(String(values['id'])));
      if (isFree) return this.#inserted(values);
    }
  }

  /** Throws `StoreError` if a reference that the id has columns of does not have them. */
  #inserted(values: Values): Row {
    if (values['id'] == null && this.#idColumns.size > 0)
      throw new StoreError({ kind: 'reference' }, new Error('not an id of several columns'));
    return this.#rowOf(this.version(values));
  }

  /** A row with changes, and the properties that change along with them. `given`: those that the input has. */
  changed(
    row: Row,
    changed: readonly string[],
    given = changed,
  ): { readonly row: Row; readonly changed: readonly string[] } {
    const values = this.#cleared(this.#valuesOf(row), changed, given);
    const next = this.#rowOf(this.version(this.agreed(values, changed) ?? values));
    const names = this.#resource.properties.flatMap(({ name }, i) => (next[i] === row[i] ? [] : [name]));
    return { row: next, changed: [...new Set([...changed, ...names])] };
  }

  /** Null sets the references of its column; that of a reference without a column of its own, the other properties of its columns. */
  #cleared(values: Values, changed: readonly string[], given: readonly string[]): Values {
    const others = this.#columned.flatMap((property) => {
      const { name, columns = [], references } = property;
      if (values[name] !== null || !changed.includes(name)) return [];
      const sharing = this.#columned.filter(
        (one) => one !== property && one.columns?.some((of) => columns.includes(of)),
      );
      if (!columns.every((column) => sharing.some((one) => one.columns?.includes(column)))) return [];
      return sharing.filter((one) => one.nullable && !one.references === !!references && !given.includes(one.name));
    });
    return { ...values, ...Object.fromEntries(others.map(({ name }) => [name, null])) };
  }

  /** What no input has given, and a row cannot lack. */
  #missingFrom(values: Values): readonly PropertyDescriptor[] {
    const isCounted = isIdCounted(this.#resource);
    return this.#resource.properties.filter((property) => {
      const { name, columns = [], required, nullable } = property;
      if (values[name] != null || name === 'version') return false;
      if (name === 'id') return this.#idColumns.size === 0 && !isCounted;
      return (required && !nullable) || columns.some((column) => columns.length === 1 && this.#idColumns.has(column));
    });
  }

  #valuesOf = (row: Row): Values =>
    Object.fromEntries(this.#resource.properties.map(({ name }, i) => [name, row[i] ?? null]));

  #rowOf = (values: Values): Row => this.#resource.properties.map(({ name }) => (values[name] ?? null) as StoredValue);
}

/** The texts of the columns of a property with a value. */
function partsOf({ columns = [] }: PropertyDescriptor, value: unknown): readonly (readonly [string, string])[] {
  if (value == null) return [];
  const parts = columns.length === 1 ? [String(value)] : splitId(String(value));
  return parts?.length === columns.length ? columns.map((column, i) => [column, parts[i] ?? '']) : [];
}

const typed = ({ type }: PropertyDescriptor, text: string): unknown =>
  type === 'integer' || type === 'number' ? Number(text) : text;

const FIRST_DAY_MS = Date.parse('2020-01-01T00:00:00.000Z');
const DAY_MS = 86_400_000;

/** A value for the nth row, as a sequence or a default would give it. */
function madeUp({ type, enum: values }: PropertyDescriptor, n: number): StoredValue {
  const time = (): string => new Date(FIRST_DAY_MS + n * DAY_MS).toISOString();
  switch (type) {
    case 'string':
      return values?.[0] ?? String(n);
    case 'uuid':
      return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
    case 'integer':
    case 'number':
      return n;
    case 'int64':
    case 'decimal':
      return String(n);
    case 'boolean':
      return 0;
    case 'date':
      return time().slice(0, 10);
    case 'date-time':
      return time();
    case 'json':
      return '{}';
  }
}

type StandIns = ReadonlyMap<string, StandIn>;

/** A store of `withOwnTables`, whose writes do what the mapped tables would do. */
export function standingIn<S extends Store>(store: S, resources: readonly ResourceDescriptor[]): S {
  const mapped = resources.filter((one) => one.mapped);
  if (mapped.length === 0) return store;
  const standIns = new Map(mapped.map((one) => [one.key, new StandIn(one)]));
  const transaction: Store['transaction'] = store.transaction.bind(store);
  store.transaction = (work, ...rest) => transaction((own) => work(completing(own, standIns)), ...rest);
  return store;
}

function completing(transaction: Transaction, standIns: StandIns): Transaction {
  const completed = async (resource: string, row: Row): Promise<Row> => {
    const count = async () => transaction.unlocked.count(resource, []);
    const isTaken = async (id: string) => (await transaction.unlocked.get(resource, id)) !== undefined;
    return (await standIns.get(resource)?.completed(row, count, isTaken)) ?? row;
  };
  return {
    ...besideRows(transaction),
    ...readingFrom((read) => read(transaction)),
    unlocked: transaction.unlocked,
    within: (scope) => completing(transaction.within(scope), standIns),
    whereReferred: (resource) => completing(transaction.whereReferred(resource), standIns),
    async insert(resource, row, along = {}) {
      standIns.get(resource)?.checkAgreement(row, Object.keys(along.given ?? {}));
      return transaction.insert(resource, await completed(resource, row), along);
    },
    async insertAll(resource, rows, ...rest) {
      if (!standIns.has(resource)) return transaction.insertAll(resource, rows, ...rest);
      for (const row of rows) await this.insert(resource, row);
    },
    update(resource, row, changed, conditions, along = {}) {
      const standIn = standIns.get(resource);
      const given = [...changed, ...Object.keys(along.given ?? {})];
      standIn?.checkAgreement(row, given);
      const next = standIn?.changed(row, changed, given) ?? { row, changed };
      return transaction.update(resource, next.row, next.changed, conditions, along);
    },
    delete: (...args) => transaction.delete(...args),
    deleteEach: (...args) => transaction.deleteEach(...args),
  };
}
