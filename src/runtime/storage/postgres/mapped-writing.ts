import { splitId } from '../../../descriptor/composite-id.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Row, StoredValue } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { LiveColumn, LiveRelation } from './mapped-catalogue.ts';
import { comparedParts, comparedWith, isLoose, storedIn } from './mapped-values.ts';
import { encode } from './values.ts';

/** The columns that a statement writes, and their values. */
export interface ColumnWrites {
  readonly columns: readonly string[];
  readonly values: readonly StoredValue[];
}

/** Writes the rows of a resource to columns of a table of others. */
export interface MappedWriter {
  readonly live: LiveRelation;
  /**
   * The columns of properties of a row. `given`: the properties that the input has, if these are others. Throws `StoreError`
   * `reference` for a text that no id has, and `disagreement` if one column would get two values.
   */
  readonly written: (row: Row, names: readonly string[], given?: readonly string[]) => ColumnWrites;
  /** A row, which need not be stored, as a JSON object by column. */
  readonly record: (row: Row) => string;
  /** References whose columns hold equal values of other spellings, in a row, by the keys of their resources. */
  readonly respelled: (row: Row, names: readonly string[]) => readonly (readonly [resource: string, id: string])[];
  /** The properties that stand for columns: among `given` if some do, those of one column first. */
  readonly propertiesOf: (columns: readonly string[], given: readonly string[]) => readonly string[];
}

interface Part {
  readonly property: PropertyDescriptor;
  readonly live: readonly LiveColumn[];
  readonly at: number;
  /** Those of its columns that null sets: of a reference, those that no other property has. */
  readonly cleared: readonly string[];
  /** Of a reference without such columns: those that null sets unless the input has another of their properties. */
  readonly shared: readonly string[];
  /** An id that is made from the row, or that the database fills in: no statement writes it. */
  readonly isLeft: boolean;
  /** A reference whose columns hold equal values of several spellings. */
  readonly isRespelled: boolean;
}

export function mappedWriter(descriptor: ResourceDescriptor, live: LiveRelation): MappedWriter {
  const parts = partsOf(descriptor, live);
  const isRespelledAny = [...parts.values()].some(({ isRespelled }) => isRespelled);
  const writtenBy = (names: readonly string[]): readonly Part[] =>
    names.flatMap((name) => {
      const part = parts.get(name);
      return part && !part.isLeft ? [part] : [];
    });
  return {
    live,
    written(row, names, given = names) {
      const found = new Map<string, { readonly value: StoredValue; readonly by: string }>();
      const isGiven = (column: string, except: Part): boolean =>
        writtenBy(given).some((part) => part !== except && part.live.some(({ name }) => name === column));
      for (const part of writtenBy(names)) {
        const { name } = part.property;
        const stored = row[part.at] ?? null;
        const shared = stored === null ? part.shared.filter((column) => !isGiven(column, part)) : [];
        for (const column of shared) found.set(column, { value: null, by: name });
        for (const [column, value] of valuesOf(part, stored)) {
          const other = found.get(column);
          if (other && String(other.value) !== String(value))
            throw new StoreError({ kind: 'disagreement', properties: [other.by, name] }, new Error('two values'));
          found.set(column, { value, by: name });
        }
      }
      return { columns: [...found.keys()], values: [...found.values()].map(({ value }) => value) };
    },
    record(row) {
      const members = new Map<string, string>();
      for (const { property, live: columns, at } of parts.values()) {
        const texts = textsOf(property, columns, row[at] ?? null);
        for (const [i, { name, isArray }] of columns.entries()) {
          const text = texts[i];
          if (text == null) continue;
          members.set(name, isArray || property.type === 'json' ? String(text) : JSON.stringify(text));
        }
      }
      return `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join()}}`;
    },
    respelled: (row, names) =>
      isRespelledAny
        ? writtenBy(names).flatMap(({ property: { references }, isRespelled, at }) =>
            isRespelled && references && row[at] != null ? [[references.resource, String(row[at])] as const] : [],
          )
        : [],
    propertiesOf(columns, given) {
      const named = columns.flatMap((column) => {
        const having = [...parts.values()].filter(({ live: own }) => own.some(({ name }) => name === column));
        const sent = having.filter(({ property }) => given.includes(property.name));
        const [first] = (sent.length > 0 ? sent : having).toSorted((a, b) => a.live.length - b.live.length);
        return first ? [first.property.name] : [];
      });
      return [...new Set(named)];
    },
  };
}

function partsOf({ properties }: ResourceDescriptor, live: LiveRelation): ReadonlyMap<string, Part> {
  const byName = new Map(live.columns.map((column) => [column.name, column]));
  const count = (column: string): number => properties.filter(({ columns = [] }) => columns.includes(column)).length;
  return new Map(
    properties.map((property, at): [string, Part] => {
      const { name, columns = [], references } = property;
      const cleared = references ? columns.filter((column) => count(column) === 1) : columns;
      const own = columns.flatMap((column) => byName.get(column) ?? []);
      const isRespelled = references !== undefined && own.some(isLoose);
      const nullable = own.filter(({ isRequired }) => !isRequired);
      const shared = cleared.length > 0 ? [] : nullable.map((column) => column.name);
      return [name, { property, live: own, at, cleared, shared, isLeft: isLeft(property, own), isRespelled }];
    }),
  );
}

/** An id of several columns is made from the row; one that the database fills in comes from there, whoever else could make it. */
const isLeft = ({ name, origin }: PropertyDescriptor, live: readonly LiveColumn[]): boolean =>
  name === 'id' && (live.length > 1 || (origin === 'managed' && live.some(({ isFilled }) => isFilled)));

function valuesOf(
  { property, live, cleared }: Part,
  value: StoredValue,
): readonly (readonly [column: string, value: StoredValue])[] {
  if (property.name === 'id' && value === null) return [];
  if (value === null) return cleared.map((column) => [column, null]);
  const texts = textsOf(property, live, value);
  // Nothing has an id that its columns cannot be compared with.
  if (property.references && texts.includes(null)) throw noSuchId();
  return live.map((column, i) => [column.name, storedIn(column, texts[i] ?? null)]);
}

/** The values of a property's columns; null for those that no row can have. */
function textsOf(
  property: PropertyDescriptor,
  live: readonly LiveColumn[],
  value: StoredValue,
): readonly StoredValue[] {
  if (value === null || live.length === 0) return [];
  const [first, ...others] = live;
  if (first && others.length === 0)
    return [property.references ? comparedWith(property, first, value) : encode(property, value)];
  return comparedParts(live, value) === null ? live.map(() => null) : (splitId(String(value)) ?? []);
}

const noSuchId = (): StoreError => new StoreError({ kind: 'reference' }, new Error('a text that no id has'));
