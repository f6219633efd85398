import type { LiveColumn } from '../../runtime/storage/postgres/index.ts';
import type { Json } from '../sync/openapi-resource.ts';
import type { Comparison } from './checks.ts';

/** The type of a column as JSON has it. */
export interface ColumnType {
  /** Its values, without null. */
  readonly schema: Json;
  /** The labels of an enum of the database. */
  readonly labels?: { readonly name: string; readonly values: readonly string[] };
  /** Of the items of an array. */
  readonly items?: ColumnType;
  readonly comparison: Comparison;
  /** A time whose zone the database does not know. */
  readonly isLocal?: boolean;
}

interface Scalar {
  readonly schema: Json;
  readonly comparison?: Comparison;
}

const TEXT: Scalar = { schema: { type: 'string' } };
const COMPARED: Scalar = { ...TEXT, comparison: 'text' };

const JSON_VALUE: Scalar = { schema: { type: ['object', 'array', 'string', 'number', 'boolean'] } };

const SCALARS: Readonly<Record<string, Scalar>> = {
  bool: { schema: { type: 'boolean' } },
  int2: { schema: { type: 'integer', format: 'int32' }, comparison: 'integer' },
  int4: { schema: { type: 'integer', format: 'int32' }, comparison: 'integer' },
  int8: { schema: { type: 'string', format: 'int64' } },
  numeric: { schema: { type: 'string', format: 'decimal' } },
  float4: { schema: { type: 'number' }, comparison: 'single' },
  float8: { schema: { type: 'number' }, comparison: 'double' },
  text: COMPARED,
  varchar: COMPARED,
  bpchar: { ...TEXT, comparison: 'padded' },
  name: TEXT,
  inet: TEXT,
  cidr: TEXT,
  time: TEXT,
  timetz: TEXT,
  interval: TEXT,
  uuid: { schema: { type: 'string', format: 'uuid' } },
  date: { schema: { type: 'string', format: 'date' } },
  timestamptz: { schema: { type: 'string', format: 'date-time' } },
  timestamp: { schema: { type: 'string', format: 'date-time-local' } },
  json: JSON_VALUE,
  jsonb: JSON_VALUE,
};

/** The type of a column, or the name of one without a counterpart. `isLoose`: texts that differ may be equal by its collation. */
export function columnType(live: LiveColumn, isLoose: boolean): ColumnType | string {
  const { base, bounded, labels, isArray } = live;
  if (isArray) {
    const items = columnType({ ...live, isArray: false }, isLoose);
    if (typeof items === 'string') return `an array of ${items}`;
    return { schema: { type: 'array' }, items, comparison: undefined };
  }
  if (labels)
    return { schema: { type: 'string', enum: labels }, labels: { name: base, values: labels }, comparison: undefined };
  // The names of types that are not of Postgres have a schema; an array may be of a domain.
  const isOwn = !bounded.includes('.') || bounded.endsWith('[]');
  const scalar = base === 'citext' ? TEXT : isOwn ? SCALARS[base] : undefined;
  if (!scalar) return base;
  const [, length] = /^character(?: varying)?\((\d+)\)/.exec(bounded) ?? [];
  return {
    schema: { ...scalar.schema, ...(length !== undefined && { maxLength: Number(length) }) },
    comparison: scalar.schema['type'] === 'string' && isLoose ? undefined : scalar.comparison,
    ...(base === 'timestamp' && { isLocal: true }),
  };
}
