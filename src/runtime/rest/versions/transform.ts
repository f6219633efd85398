import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { isPlainObject } from '../../../descriptor/plain-object.ts';
import { dereference } from '../../../descriptor/references.ts';
import type { AnyResources } from '../../engine/interface/untyped.ts';
import type { StepContext, VersionStep } from './version.ts';

type Json = Readonly<Record<string, unknown>>;

/** A value, and the schema that the old version has in its place. */
interface Placed {
  readonly schema: Schema | undefined;
  readonly value: unknown;
}

/** Runs the work of a step with its context. */
export type WithContext = <T>(work: (context: StepContext<AnyResources>) => Promise<T>) => Promise<T>;

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
    const target = this.#target(schema);
    const branches = this.#branchesOf(target, value);
    const whole = branches.reduce((one: unknown, branch) => this.up(branch, one), value);
    const inside = withMembers(
      whole,
      membersOf(target, whole).map((member) => this.up(member.schema, member.value)),
    );
    const name = nameOf(schema);
    const step = name === undefined ? undefined : this.#steps[name]?.up;
    return step && isPlainObject(inside) ? step(inside) : inside;
  }

  /** From the current version to the old one. A step gets all values at one depth together. */
  async down(given: readonly Placed[], withContext: WithContext): Promise<readonly unknown[]> {
    if (given.length === 0) return [];
    const wholes = await this.#stepped(given, withContext);
    const targets = given.map(({ schema }) => this.#target(schema));
    const branches = targets.map((target, at) => this.#branchesOf(target, wholes[at]));
    for (let i = 0; branches.some((own) => own.length > i); i++) {
      const places = [...branches.keys()].filter((at) => (branches[at]?.length ?? 0) > i);
      const values = places.map((at) => ({ schema: branches[at]?.[i], value: wholes[at] }));
      const made = await this.down(values, withContext);
      for (const [k, at] of places.entries()) wholes[at] = made[k];
    }
    const members = targets.map((target, at) => membersOf(target, wholes[at]));
    const made = await this.down(members.flat(), withContext);
    let next = 0;
    return wholes.map((whole, at) => {
      const first = next;
      next += members[at]?.length ?? 0;
      return withMembers(whole, made.slice(first, next));
    });
  }

  async #stepped(given: readonly Placed[], withContext: WithContext): Promise<unknown[]> {
    const values = given.map(({ value }) => value);
    const objects = [...given.keys()].filter((at) => isPlainObject(values[at]));
    for (const [name, places] of Map.groupBy(objects, (at) => nameOf(given[at]?.schema))) {
      const { down, downAll } = (name !== undefined && this.#steps[name]) || {};
      const presents = places.map((at) => values[at]);
      const made = downAll
        ? await withContext(async (context) => downAll(presents, context))
        : down && presents.map((present) => down(present));
      if (made && made.length !== places.length)
        throw new Error(`The step of ${name} returned ${made.length} values for ${places.length}.`);
      for (const [k, at] of places.entries()) if (made) values[at] = made[k];
    }
    return values;
  }

  #target(schema: Schema | undefined): Json {
    const target = schema && dereference(this.#document, schema);
    return typeof target === 'object' ? target : {};
  }

  #branchesOf(schema: Json, value: unknown): readonly Schema[] {
    if (!isPlainObject(value)) return [];
    const { allOf = [], oneOf = [], anyOf = [] } = schema as Readonly<Record<string, readonly Schema[]>>;
    return [...allOf, ...this.#chosen([...oneOf, ...anyOf], value)];
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

/** What stands in a value. */
function membersOf(schema: Json, value: unknown): readonly Placed[] {
  if (Array.isArray(value)) return value.map((one) => ({ schema: schema['items'] as Schema, value: one }));
  if (!isPlainObject(value)) return [];
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const rest = schema['additionalProperties'] as Schema | undefined;
  return Object.entries(value).map(([name, one]) => ({ schema: properties[name] ?? rest, value: one }));
}

/** The value with other members, in their order. */
function withMembers(value: unknown, members: readonly unknown[]): unknown {
  if (Array.isArray(value)) return members;
  return isPlainObject(value) ? Object.fromEntries(Object.keys(value).map((name, at) => [name, members[at]])) : value;
}

const REFERENCE = '#/components/schemas/';

function nameOf(schema: Schema | undefined): string | undefined {
  const reference = typeof schema === 'object' ? schema['$ref'] : undefined;
  return typeof reference === 'string' && reference.startsWith(REFERENCE)
    ? reference.slice(REFERENCE.length)
    : undefined;
}
