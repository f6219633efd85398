import { isDeepStrictEqual } from 'node:util';
import { valueName } from '../../compiler/graphql/names/index.ts';
import { schemaReference } from '../../compiler/json-schema/index.ts';
import { camelCase, snakeCase, upperFirst } from '../../compiler/model/index.ts';
import { lookUp, onlyOf } from '../../descriptor/look-up.ts';
import type { LiveForeignKey } from '../../runtime/storage/postgres/index.ts';
import type { Json } from '../sync/openapi-resource.ts';
import { type Check, sqlName } from './catalogue.ts';
import { type Facts, joined, readCheck } from './checks.ts';
import type { ColumnType } from './column-type.ts';
import { firstFree, inFront, kebabOf, type Names, propertyName, type ResourceName } from './names.ts';
import type { LeftOut, Selected, TypedColumn } from './selection.ts';

/** A resource to be, and what references need to know of it. */
export interface Target {
  readonly name: ResourceName;
  readonly idSchema: Json;
  /** The columns of its key, in the order of its id. */
  readonly key: readonly string[];
}

export interface Property {
  readonly name: string;
  readonly columns: readonly string[];
  /** Of its values, without null. */
  readonly value: Json;
  readonly isRequired: boolean;
  readonly comment: string | undefined;
  /** The table that it refers to, as SQL names it. */
  readonly target?: string;
  /** Extensions. */
  readonly extensions: Json;
}

/** A resource as it is written. */
export interface Draft extends Target {
  readonly relation: Selected;
  /** Without `id` and `version`. */
  readonly properties: readonly Property[];
  readonly uniques: readonly (readonly string[])[];
}

/** What is found on the way. */
export interface Findings {
  readonly leftOut: LeftOut[];
  readonly questions: string[];
}

/** Ids of texts fit in a path and in an index. */
const MAX_ID = 255;

const TIMES = /^(?:created|updated)_?at$/i;

const LOCAL_TIME = 'a time without a zone, which is served as it is stored. If it is in UTC, write';

/** The name and the id of a resource: of several columns, one text. */
export function targetOf({ columns, key }: Selected, name: ResourceName): Target {
  const only = onlyOf(columns.filter((column) => key.includes(column.name)))?.type.schema ?? { type: 'string' };
  const { enum: _, maxLength = MAX_ID, ...schema } = only as Json;
  const isText = schema['type'] === 'string' && schema['format'] === undefined;
  return { name, key, idSchema: isText ? { ...schema, maxLength: Math.min(Number(maxLength), MAX_ID) } : schema };
}

/** Makes drafts of the resources of a database. */
export class Drafts {
  readonly #targets: ReadonlyMap<string, Target>;
  readonly #names: Names;
  readonly #findings: Findings;
  /** The schemas of enums, by name; those of the database by type as well. */
  readonly enums = new Map<string, Json>();

  constructor(targets: ReadonlyMap<string, Target>, names: Names, findings: Findings) {
    this.#targets = targets;
    this.#names = names;
    this.#findings = findings;
  }

  async draft(relation: Selected): Promise<Draft> {
    const target = lookUp(this.#targets, sqlName(relation));
    const { type } = target.name;
    const facts = await this.#factsOf(relation);
    const references = this.#references(relation);
    const isCovered = (column: string): boolean =>
      references.some(({ columns, isRequired }) => columns.includes(column) && (columns.length === 1 || isRequired)) ||
      (target.key.length === 1 && target.key[0] === column);
    const plain = relation.columns
      .filter(({ name }) => !isCovered(name))
      .map((column) => this.#plain(relation, column, type, facts.get(column.name) ?? {}));
    const place = ({ columns }: Property): number => relation.columns.findIndex(({ name }) => name === columns[0]);
    const properties = named(
      [...references, ...plain].sort((a, b) => place(a) - place(b)),
      type,
    );
    const uniques = relation.indexes
      .filter(({ isUnique, isPrimary }) => isUnique && !isPrimary)
      .map(({ columns }) => propertiesFor(properties, columns) ?? []);
    const { enum: _, maxLength: __, ...bounds } = facts.get(onlyOf(target.key) ?? '') ?? {};
    const idSchema = { ...target.idSchema, ...bounds };
    return { ...target, idSchema, relation, properties, uniques: uniques.filter((one) => one.length > 0) };
  }

  /** The foreign keys to the ids of resources. */
  #references(relation: Selected): Property[] {
    const used = new Set<string>();
    return relation.foreignKeys.flatMap((foreign): Property[] => {
      const to = sqlName(foreign.target);
      const target = this.#targets.get(to);
      const columns = target?.key.map((column) => foreign.columns[foreign.targetColumns.indexOf(column)] ?? '') ?? [];
      const own = relation.columns.filter(({ name }) => columns.includes(name));
      const fault = used.has(columns.join('\0'))
        ? 'Another foreign key has its columns.'
        : whyNoReference(foreign, target, own.length);
      const leaveOut = (why: string): number =>
        this.#findings.leftOut.push({ what: sqlName(relation, foreign.name), why });
      if (!target || fault !== undefined) {
        leaveOut(fault ?? '');
        return [];
      }
      used.add(columns.join('\0'));
      const { type } = target.name;
      const isRequired = own.every((column) => column.isRequired);
      const hasEffect = foreign.onDelete !== 'set default' && (foreign.onDelete !== 'set-null' || !isRequired);
      if (!hasEffect) leaveOut('The effect of a deletion (SET DEFAULT, or SET NULL without null) has no counterpart.');
      return [
        {
          name: referenceName(columns, relation, type),
          columns,
          value: target.idSchema,
          isRequired,
          comment: onlyOf(own)?.comment,
          target: to,
          extensions: { 'x-references': type, 'x-on-delete': hasEffect ? foreign.onDelete : 'restrict' },
        },
      ];
    });
  }

  #plain(relation: Selected, column: TypedColumn, owner: string, { enum: values, ...facts }: Facts): Property {
    const { name, type, comment } = column;
    const what = sqlName(relation, name);
    if (type.isLocal)
      this.#findings.questions.push(
        `The zone of ${what}: ${LOCAL_TIME} \`format: date-time\` and \`x-column: { name: ${JSON.stringify(name)}, zone: UTC }\`.`,
      );
    if (/^lock_?version$/i.test(name) && type.schema['type'] === 'integer')
      this.#findings.questions.push(
        `Whether ${what} counts the changes of a row: if it does, write \`version: { type: integer, x-column: ${JSON.stringify(name)} }\`, and remove \`${propertyName(name, owner)}\`.`,
      );
    const value = values
      ? this.#enumOf([owner + upperFirst(propertyName(name, owner))], values, what)
      : { ...this.#valueOf(type, what), ...facts };
    // The server would set times of this name, and may if they have its type.
    const isTime = type.schema['format'] === 'date-time' && column.isRequired && TIMES.test(name);
    return {
      name: propertyName(name, owner, !isTime),
      columns: [name],
      value,
      isRequired: column.isRequired,
      comment,
      extensions: {},
    };
  }

  #valueOf(type: ColumnType, what: string): Json {
    if (type.items) return { type: 'array', items: orNull(this.#valueOf(type.items, what)) };
    const { labels } = type;
    if (!labels) return type.schema;
    const name = upperFirst(camelCase(kebabOf(labels.name, 'enum')));
    return this.#enumOf([name, `${name}Value`], labels.values, what);
  }

  /** A reference to the schema of an enum, or a text where GraphQL spells two values alike. */
  #enumOf(names: readonly string[], values: readonly string[], what: string): Json {
    if (new Set(values.map(valueName)).size < values.length) {
      this.#findings.leftOut.push({ what: `the values of ${what}`, why: 'GraphQL would spell two of them alike.' });
      return { type: 'string' };
    }
    const schema = { type: 'string', enum: values };
    const known = [...this.enums].find(([name, one]) => names.includes(name) && isDeepStrictEqual(one, schema));
    const name = known?.[0] ?? this.#names.enum(names);
    this.enums.set(name, schema);
    return schemaReference(name);
  }

  /** What checks, and those of domains, demand of each column. */
  async #factsOf(relation: Selected): Promise<ReadonlyMap<string, Facts>> {
    const found = new Map<string, Facts>();
    const column = (name: string) => relation.columns.find((one) => one.name === name);
    for (const { name, type } of relation.columns) {
      const { maxLength } = type.schema as { readonly maxLength?: number };
      if (maxLength !== undefined) found.set(name, { maxLength });
    }
    const read = async (check: Check, only?: TypedColumn): Promise<void> => {
      const { facts, isWhole } = await readCheck(check.sql, (name) => (only ?? column(name))?.type.comparison);
      const merged = facts.map((fact) => {
        const name = only?.name ?? fact.column;
        const all = joined(found.get(name) ?? {}, fact.facts);
        if (all) found.set(name, all);
        return all;
      });
      if (isWhole && !merged.includes(undefined)) return;
      this.#findings.leftOut.push({
        what: only ? `check ${check.name} of ${sqlName(relation, only.name)}` : sqlName(relation, check.name),
        why: 'The contract cannot express this check, or a part of it. The database keeps it.',
      });
    };
    for (const one of relation.columns) for (const check of one.checks) await read(check, one);
    for (const check of relation.checks) await read(check);
    return found;
  }
}

function whyNoReference(
  { columns, targetColumns }: LiveForeignKey,
  target: Target | undefined,
  readable: number,
): string | undefined {
  if (!target) return 'It refers to a table that the contract does not have.';
  const isKey = targetColumns.length === target.key.length && target.key.every((one) => targetColumns.includes(one));
  if (!isKey) return 'It does not refer to the primary key.';
  return readable < columns.length ? 'It has a column that is left out.' : undefined;
}

/** `customerId` for `customer_id` and `customer`; of several columns, the last if it names one, else after the target. */
function referenceName(columns: readonly string[], { key }: Selected, target: string): string {
  const [last = ''] = columns.slice(-1);
  const own = propertyName(last, target, false);
  if (columns.length > 1) return /.Id$/.test(own) ? own : inFront(target, 'id');
  if (own === 'id' || (key.length === 1 && key[0] === last && !/.Id$/.test(own))) return inFront(target, 'id');
  return /.Id$/.test(own) ? own : `${own}Id`;
}

/** Properties with names of their own: a plain one also differs from the object that a reference leads to. */
function named(properties: readonly Property[], type: string): readonly Property[] {
  const taken = new Set(['id', 'version']);
  const names = new Map<Property, string>();
  for (const one of properties.toSorted((a, b) => Number(!a.target) - Number(!b.target))) {
    const all = (name: string): readonly string[] => (one.target ? [name, name.replace(/Id$/, '')] : [name]);
    const isFree = (wanted: string): boolean => all(wanted).every((name) => !(name in {}) && !taken.has(name));
    const name = firstFree([one.name, inFront(type, one.name)], isFree, (number) => `${one.name}${number}`);
    for (const part of all(name)) taken.add(part);
    names.set(one, name);
  }
  return properties.map((one) => ({ ...one, name: names.get(one) ?? one.name }));
}

/** The properties that have exactly these columns together; undefined if some have others as well. */
function propertiesFor(properties: readonly Property[], columns: readonly string[]): readonly string[] | undefined {
  const open = new Set(columns);
  const found = properties
    .toSorted((a, b) => b.columns.length - a.columns.length)
    .filter(
      (one) => one.columns.every((column) => open.has(column)) && one.columns.every((column) => open.delete(column)),
    );
  return open.size === 0 ? found.map(({ name }) => name) : undefined;
}

/** A schema whose values may be null. */
function orNull(schema: Json): Json {
  if (schema['$ref'] !== undefined) return { oneOf: [schema, { type: 'null' }] };
  return { ...schema, type: [schema['type'], 'null'].flat() };
}

/** What a property is written as. `column`: without one, the name in snake_case. */
export function propertySchema({ name, columns, value, isRequired, comment, extensions }: Property): Json {
  const own = columns.length > 1 ? columns : columns[0];
  return {
    ...(comment !== undefined && { description: comment }),
    ...(isRequired ? value : orNull(value)),
    ...extensions,
    ...(own !== snakeCase(name) && { 'x-column': own }),
  };
}
