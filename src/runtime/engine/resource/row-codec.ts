import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { OrderMembers } from '../../schema/member-order.ts';
import type { Row, StoredValue } from '../../storage/store.ts';

/** A resource's JSON values by property; absent optional properties are undefined. */
export type Values = Readonly<Record<string, unknown>>;

/** Translates between rows and the resource's JSON, in the order of its properties. */
export interface RowCodec {
  toRow(values: Values): Row;
  toValues(row: Row): Values;
  /**
   * The JSON text of a row. Stored JSON gets the order of its schema, because databases keep it in orders of their own;
   * free-form JSON is inserted without being parsed.
   */
  toJson(row: Row): string;
}

type Encode = (value: unknown) => StoredValue;
export type Decode = (stored: StoredValue) => unknown;
type Print = (stored: StoredValue) => string;

const same: Encode = (value) => value as StoredValue;
const quoted: Print = (stored) => `"${stored}"`;
const plain: Print = (stored) => String(stored);

const encoders: Partial<Record<PropertyDescriptor['type'], Encode>> = {
  boolean: (value) => (value ? 1 : 0),
  json: (value) => JSON.stringify(value),
};

/** Decoders of stored values, by type. Types without one are stored as they are. */
export const decoders: Partial<Record<PropertyDescriptor['type'], Decode>> = {
  boolean: (stored) => Boolean(stored),
  json: (stored) => JSON.parse(stored as string),
};

const printers: Partial<Record<PropertyDescriptor['type'], Print>> = {
  uuid: quoted,
  int64: quoted,
  decimal: quoted,
  date: quoted,
  'date-time': quoted,
  integer: plain,
  number: plain,
  json: plain,
  boolean: (stored) => (stored ? 'true' : 'false'),
};

/** How the members of a property's values are ordered; undefined for values without such an order. */
export type OrderOf = (property: string) => OrderMembers | undefined;

/** Values of an enum are quoted without escaping when none of them needs it. */
function printer({ type, enum: values }: PropertyDescriptor): Print {
  if (values?.every((value) => JSON.stringify(value) === `"${value}"`)) return quoted;
  return printers[type] ?? JSON.stringify;
}

interface Field {
  readonly name: string;
  /** NULL means absent, and is not printed. */
  readonly isOmittedWhenNull: boolean;
  readonly label: string;
  readonly encode: Encode;
  readonly decode: Decode;
  readonly print: Print;
}

function fieldOf(property: PropertyDescriptor, order: OrderMembers | undefined): Field {
  return {
    name: property.name,
    isOmittedWhenNull: !property.required && !property.nullable,
    label: `${JSON.stringify(property.name)}:`,
    encode: encoders[property.type] ?? same,
    decode: decoders[property.type] ?? same,
    print: order ? (stored) => JSON.stringify(order(JSON.parse(stored as string))) : printer(property),
  };
}

export function createRowCodec(
  properties: readonly PropertyDescriptor[],
  orderOf: OrderOf = () => undefined,
): RowCodec {
  const fields = properties.map((property) =>
    fieldOf(property, property.type === 'json' ? orderOf(property.name) : undefined),
  );
  return {
    toRow: (values) => fields.map(({ name, encode }) => encodeValue(values[name], encode)),
    toValues: (row) => decodeRow(fields, row),
    toJson: (row) => printRow(fields, row),
  };
}

const encodeValue = (value: unknown, encode: Encode): StoredValue => (value == null ? null : encode(value));

function decodeRow(fields: readonly Field[], row: Row): Values {
  const values: Record<string, unknown> = {};
  for (let i = 0; i < fields.length; i++) {
    const { name, isOmittedWhenNull, decode } = fields[i]!;
    const stored = row[i]!;
    if (stored !== null) values[name] = decode(stored);
    else if (!isOmittedWhenNull) values[name] = null;
  }
  return values;
}

function printRow(fields: readonly Field[], row: Row): string {
  let json = '';
  for (let i = 0; i < fields.length; i++) {
    const { label, isOmittedWhenNull, print } = fields[i]!;
    const stored = row[i]!;
    if (stored === null && isOmittedWhenNull) continue;
    json += `${json === '' ? '{' : ','}${label}${stored === null ? 'null' : print(stored)}`;
  }
  return `${json}}`;
}
