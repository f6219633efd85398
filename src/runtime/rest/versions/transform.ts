import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { dereference } from '../../../descriptor/references.ts';
import type { VersionStep } from './version.ts';

type Json = Readonly<Record<string, unknown>>;
type Direction = 'up' | 'down';

/** Transforms values between an old version and the current one, along the schemas of the old version. */
export class Transform {
  readonly #document: OpenApiDocument;
  readonly #steps: NonNullable<VersionStep['schemas']>;

  constructor(document: OpenApiDocument, { schemas = {} }: VersionStep) {
    this.#document = document;
    this.#steps = schemas;
  }

  /** From the old version to the current one. */
  up(schema: Schema | undefined, value: unknown): unknown {
    const name = nameOf(schema);
    const inside = this.#within('up', this.#target(schema), value);
    const step = name === undefined ? undefined : this.#steps[name]?.up;
    return step && isObject(inside) ? step(inside) : inside;
  }

  /** From the current version to the old one. */
  down(schema: Schema | undefined, value: unknown): unknown {
    const name = nameOf(schema);
    const step = name === undefined ? undefined : this.#steps[name]?.down;
    const own = step && isObject(value) ? step(value) : value;
    return this.#within('down', this.#target(schema), own);
  }

  #target(schema: Schema | undefined): Json {
    const target = schema && dereference(this.#document, schema);
    return typeof target === 'object' ? target : {};
  }

  #within(direction: Direction, schema: Json, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this[direction](schema['items'] as Schema, one));
    if (!isObject(value)) return value;
    const { allOf = [], oneOf = [], anyOf = [] } = schema as Readonly<Record<string, readonly Schema[]>>;
    const chosen = this.#chosen([...oneOf, ...anyOf], value);
    const whole = [...allOf, ...chosen].reduce((one: unknown, branch) => this[direction](branch, one), value);
    if (!isObject(whole)) return whole;
    const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
    const rest = schema['additionalProperties'] as Schema | undefined;
    const members = Object.entries(whole).map(([name, one]) => [name, this[direction](properties[name] ?? rest, one)]);
    return Object.fromEntries(members);
  }

  /** The branch that describes a value: the only one, or the first whose constants it has. */
  #chosen(branches: readonly Schema[], value: Json): readonly Schema[] {
    const objects = branches.filter((branch) => this.#target(branch)['type'] !== 'null');
    if (objects.length <= 1) return objects;
    return objects.filter((branch) => this.#fits(branch, value)).slice(0, 1);
  }

  #fits(branch: Schema, value: Json): boolean {
    const properties = (this.#target(branch)['properties'] ?? {}) as Readonly<Record<string, Json>>;
    return Object.entries(properties).every(([name, one]) => !('const' in one) || one['const'] === value[name]);
  }
}

const REFERENCE = '#/components/schemas/';

function nameOf(schema: Schema | undefined): string | undefined {
  const reference = typeof schema === 'object' ? schema['$ref'] : undefined;
  return typeof reference === 'string' && reference.startsWith(REFERENCE)
    ? reference.slice(REFERENCE.length)
    : undefined;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
