import type { Schema } from '../document.ts';
import type { PropertyShape, RowShapes } from './row-shapes.ts';

/** What of a table's rows a contract says more strictly than another, or may say so. */
export interface Tightened {
  readonly properties: readonly string[];
  /** A rule for the row as a whole has changed. */
  readonly isWhole: boolean;
}

type Keywords = Readonly<Record<string, unknown>>;

const AT_MOST = /^(?:maximum|exclusiveMaximum|maxLength|maxItems|maxProperties)$/;
const AT_LEAST = /^(?:minimum|exclusiveMinimum|minLength|minItems|minProperties)$/;

/**
 * The properties of a table that rows which met `before` need not meet `now`. Everything, when it is not known what the
 * rows met. Undefined: each row that met `before` meets `now`.
 */
export function tightened(before: RowShapes | undefined, now: RowShapes, table: string): Tightened | undefined {
  const shape = now.tables[table]!;
  const old = before?.tables[table];
  if (!before || !old) return { properties: Object.keys(shape.properties), isWhole: true };
  const comparison = new Comparison(before, now);
  const properties = Object.entries(shape.properties).flatMap(([name, property]) =>
    comparison.admitsProperty(old.properties[name], property) ? [] : [name],
  );
  const isWhole = shape.rules.length > 0 && !comparison.isSame(old.rules, shape.rules);
  return properties.length > 0 || isWhole ? { properties, isWhole } : undefined;
}

/** Whether schemas admit each value that earlier ones admit; false when their keywords do not show it. */
class Comparison {
  readonly #before: RowShapes;
  readonly #now: RowShapes;
  /** Pairs of references that are found to admit the same, or are being compared. */
  readonly #seen = new Map<string, boolean>();
  #hasSameDefinitions: boolean | undefined;

  constructor(before: RowShapes, now: RowShapes) {
    this.#before = before;
    this.#now = now;
  }

  admitsProperty(before: PropertyShape | undefined, now: PropertyShape): boolean {
    if (!before || (now.isRequired && !before.isRequired)) return false;
    return this.#admits(before.schema, now.schema);
  }

  /** Whether both are the same, their references followed. */
  isSame(before: unknown, now: unknown): boolean {
    const text = JSON.stringify(now);
    if (JSON.stringify(before) !== text) return false;
    if (!text.includes('"$ref"')) return true;
    this.#hasSameDefinitions ??= Object.entries(this.#now.definitions).every(
      ([reference, schema]) => JSON.stringify(this.#before.definitions[reference]) === JSON.stringify(schema),
    );
    return this.#hasSameDefinitions;
  }

  #admits(before: Schema, now: Schema): boolean {
    const references = `${referenceIn(before)} ${referenceIn(now)}`;
    if (references === ' ') return this.#compare(before, now);
    const known = this.#seen.get(references);
    if (known !== undefined) return known;
    // A schema that contains itself admits the same if everything else in it does.
    this.#seen.set(references, true);
    const admits = this.#compare(target(this.#before, before), target(this.#now, now));
    this.#seen.set(references, admits);
    return admits;
  }

  #compare(before: Schema, now: Schema): boolean {
    if (typeof before === 'boolean' || typeof now === 'boolean') return now === true || before === false;
    return Object.keys(now).every((keyword) => this.#admitsKeyword(keyword, before, now));
  }

  #admitsKeyword(keyword: string, before: Keywords, now: Keywords): boolean {
    const [was, is] = [before[keyword], now[keyword]];
    if (AT_MOST.test(keyword)) return typeof was === 'number' && was <= (is as number);
    if (AT_LEAST.test(keyword)) return typeof was === 'number' && was >= (is as number);
    switch (keyword) {
      case 'type':
        return listed(was).every((type) => listed(is).includes(type) || isInteger(type, listed(is)));
      case 'enum':
        return Array.isArray(was) && includesAll(is as readonly unknown[], was);
      case 'required':
        return includesAll((was ?? []) as readonly unknown[], is as readonly unknown[]);
      case 'properties':
        return this.#admitsProperties((was ?? {}) as Keywords, is as Keywords, now);
      case 'items':
        return was !== undefined && this.#admits(was as Schema, is as Schema);
      case 'allOf':
      case 'anyOf':
        return this.#admitsEach(was, is as readonly Schema[]);
      case '$ref':
        return typeof was === 'string' && this.#admits({ $ref: was }, { $ref: is });
      default:
        return this.isSame(was, is);
    }
  }

  /** Objects are closed: a property that is gone is an unknown one. */
  #admitsProperties(was: Keywords, is: Keywords, now: Keywords): boolean {
    const isOpen = now['additionalProperties'] !== undefined && now['additionalProperties'] !== false;
    return Object.entries(was).every(([name, schema]) =>
      is[name] === undefined ? isOpen : this.#admits(schema as Schema, is[name] as Schema),
    );
  }

  #admitsEach(was: unknown, is: readonly Schema[]): boolean {
    return Array.isArray(was) && was.length === is.length && was.every((schema, i) => this.#admits(schema, is[i]!));
  }
}

/** The reference that a schema consists of, or an empty text. */
function referenceIn(schema: Schema): string {
  if (typeof schema !== 'object') return '';
  const { $ref, ...others } = schema;
  return typeof $ref === 'string' && Object.keys(others).length === 0 ? $ref : '';
}

function target(shapes: RowShapes, schema: Schema): Schema {
  const reference = referenceIn(schema);
  return reference === '' ? schema : (shapes.definitions[reference] ?? true);
}

const listed = (value: unknown): readonly unknown[] => (value === undefined ? [undefined] : [value].flat());
const isInteger = (type: unknown, types: readonly unknown[]): boolean => type === 'integer' && types.includes('number');

const includesAll = (all: readonly unknown[], some: readonly unknown[]): boolean => {
  const texts = new Set(all.map((value) => JSON.stringify(value)));
  return some.every((value) => texts.has(JSON.stringify(value)));
};
