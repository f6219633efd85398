import { hash } from 'node:crypto';
import type { Id, PropertyDescriptor } from '../../../descriptor/resource.ts';
import { checkNumbers } from '../../../descriptor/written-number.ts';
import type { OrderMembers } from '../../schema/member-order.ts';
import type { Row, StoredValue } from '../../storage/store.ts';
import type { Entity } from '../interface/engine.ts';
import { createRowPrinter, type OnStray } from './row-text.ts';
import { createRowView, type Decode, decoders, type RowView } from './row-view.ts';

/** A resource's JSON values by property; absent optional properties are undefined. */
export type Values = Readonly<Record<string, unknown>>;

/** Translates between rows and the resource's JSON, in the order of its properties. */
export interface RowCodec {
  toRow(values: Values): Row;
  toValues(row: Row): Values;
  /**
   * The JSON text of a row. Stored JSON gets the order of its schema, because databases keep it in orderings of their own;
   * free-form JSON is inserted without being parsed. `unlike`: of what this row does not have, null for what it lacks.
   */
  toJson(row: Row, unlike?: Row): string;
}

type Encode = (value: unknown) => StoredValue;

const same: Encode = (value) => value as StoredValue;

const encoders: Partial<Record<PropertyDescriptor['type'], Encode>> = {
  boolean: (value) => (value ? 1 : 0),
  json: jsonOf,
};

/** `JSON.stringify` writes null for a number that code gives and JSON does not have. */
function jsonOf(value: unknown): string {
  const json = JSON.stringify(value);
  if (json.includes('null')) checkNumbers(value);
  return json;
}

/** How the members of a property's values are ordered; undefined for values without such an order. */
type OrderOf = (property: string) => OrderMembers | undefined;

interface Field {
  readonly name: string;
  /** NULL means absent. */
  readonly isOmittedWhenNull: boolean;
  readonly encode: Encode;
  readonly decode: Decode;
}

function fieldOf(property: PropertyDescriptor, order: OrderMembers | undefined): Field {
  return {
    name: property.name,
    isOmittedWhenNull: !property.required && !property.nullable,
    encode: order ? (value) => order(jsonOf(value)) : (encoders[property.type] ?? same),
    decode: decoders[property.type] ?? same,
  };
}

export interface CodecOptions {
  readonly form?: string | undefined;
  readonly orderOf?: OrderOf;
  /** Gets enum values and nulls that the contract does not have, when they are printed. */
  readonly onStray?: OnStray;
}

export function createRowCodec(properties: readonly PropertyDescriptor[], options: CodecOptions = {}): RowCodec {
  const { orderOf = () => undefined, onStray = () => {} } = options;
  const orderings = properties.map(({ name, type }) => (type === 'json' ? orderOf(name) : undefined));
  const fields = properties.map((property, i) => fieldOf(property, orderings[i]));
  return {
    toRow: (values) => fields.map(({ name, encode }) => encodeValue(values[name], encode)),
    toValues: (row) => decodeRow(fields, row),
    toJson: createRowPrinter(properties, orderings, onStray),
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

/** Reads the rows of one resource. */
export interface RowReader {
  readonly codec: RowCodec;
  /** Names all that makes up the text of a row beside its values; undefined if code may make the text. */
  readonly form: string | undefined;
  /** The class of a row's view, which decodes properties when they are read. */
  readonly View: RowView;
  /** Position of a property's value in a row. */
  index(property: string): number;
  valueIn(row: Row, property: string): StoredValue;
}

export function createRowReader(properties: readonly PropertyDescriptor[], options?: CodecOptions): RowReader {
  const positions = new Map(properties.map(({ name }, i) => [name, i]));
  const index = (property: string): number => positions.get(property)!;
  return {
    codec: createRowCodec(properties, options),
    form: options?.form,
    View: createRowView(properties),
    index,
    valueIn: (row, property) => row[index(property)]!,
  };
}

/** Names a text: two that differ have other names. */
export const formOfText = (text: string): string => hash('sha1', text, 'base64url').slice(0, 12);

/** A row as an entity, which makes its text and its values on demand. */
export class RowEntity implements Entity {
  readonly #resource: RowReader;
  readonly row: Row;
  readonly viewTag: string | undefined;
  #json: string | undefined;

  constructor(resource: RowReader, row: Row, viewTag?: string) {
    this.#resource = resource;
    this.row = row;
    this.viewTag = viewTag;
  }

  get id(): Id {
    return this.#resource.valueIn(this.row, 'id') as Id;
  }

  get version(): number {
    return this.#resource.valueIn(this.row, 'version') as number;
  }

  get json(): string {
    return this.#json ?? this.#resource.codec.toJson(this.row);
  }

  get form(): string {
    const { form } = this.#resource;
    if (form !== undefined) return form;
    this.#json ??= this.json;
    return formOfText(this.#json);
  }

  get view(): Values {
    return new this.#resource.View(this.row);
  }

  get value(): Values {
    return this.#resource.codec.toValues(this.row);
  }
}

/** What an override returned, reduced to the declared properties. */
export function entityOfValues(resource: RowReader, values: Values): RowEntity {
  return new RowEntity(resource, resource.codec.toRow(values));
}
