import type { PgType } from 'pg-introspection';
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
  /** Domains that it is of, by oid: their checks hold, too. */
  readonly domains: readonly string[];
  /** A domain excludes null. */
  readonly isRequired: boolean;
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

export interface TypeContext {
  readonly typeOf: (oid: string) => PgType | undefined;
  /** Texts of the collation are equal only if they are the same. */
  readonly isDeterministic: boolean;
}

/** The bytes that `atttypmod` has beside the length of a text. */
const HEADER = 4;

/** The type of a column, or the name of one without a counterpart. */
export function columnType(oid: string | null, modifier: number, context: TypeContext): ColumnType | string {
  const type = oid === null ? undefined : context.typeOf(oid);
  if (!type) return 'a type of its extension';
  const name = type.typname;
  const isOwn = type.getNamespace()?.nspname === 'pg_catalog';
  if (type.typtype === 'd') {
    const own = type.typtypmod ?? -1;
    const base = columnType(type.typbasetype, own >= 0 ? own : modifier, context);
    if (typeof base === 'string') return `${name}, a domain over ${base}`;
    return { ...base, domains: [type._id, ...base.domains], isRequired: base.isRequired || type.typnotnull === true };
  }
  const plain = { domains: [], isRequired: false };
  if (type.typtype === 'e') {
    const values = (type.getEnumValues() ?? []).map(({ enumlabel }) => enumlabel);
    return values.length === 0
      ? `${name}, an enum without labels`
      : { ...plain, schema: { type: 'string', enum: values }, labels: { name, values }, comparison: undefined };
  }
  if (type.typcategory === 'A' && name.startsWith('_')) {
    const items = columnType(type.typelem, modifier, context);
    if (typeof items === 'string') return `an array of ${items}`;
    return { ...plain, schema: { type: 'array' }, items, comparison: undefined };
  }
  const scalar = isOwn ? SCALARS[name] : name === 'citext' && type.typtype === 'b' ? TEXT : undefined;
  if (!scalar) return name;
  const hasLength = modifier >= HEADER && (name === 'varchar' || name === 'bpchar');
  return {
    ...plain,
    schema: { ...scalar.schema, ...(hasLength && { maxLength: modifier - HEADER }) },
    comparison: scalar.schema['type'] === 'string' && !context.isDeterministic ? undefined : scalar.comparison,
    ...(name === 'timestamp' && { isLocal: true }),
  };
}
