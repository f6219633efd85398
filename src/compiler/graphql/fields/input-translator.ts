import { type GraphQLInputObjectType, type GraphQLSchema, getNamedType, isNonNullType } from 'graphql';
import type { GraphqlDescriptor, InputDescriptor } from '../../../descriptor/graphql.ts';
import { isPlainObject } from '../../../descriptor/plain-object.ts';
import type { Spelling } from './spelling.ts';

type Json = Readonly<Record<string, unknown>>;

/** Translates an input between the protocols. Values start as REST's complete resources and patches. */
export class InputTranslator {
  readonly #schema: GraphQLSchema;
  readonly #inputs: GraphqlDescriptor['inputs'];
  readonly #spelling: Spelling;

  constructor(schema: GraphQLSchema, { inputs }: GraphqlDescriptor, spelling: Spelling) {
    this.#schema = schema;
    this.#inputs = inputs;
    this.#spelling = spelling;
  }

  /** REST's value in the shape of GraphQL's input: a variant is chosen by a field instead of a discriminator. */
  graphql(type: string | undefined, value: unknown): unknown {
    const input = type === undefined ? undefined : this.#inputs[type];
    if (Array.isArray(value)) return value.map((one) => this.graphql(type, one));
    if (!input || !isJson(value)) return value;
    const chosen = this.#chosen(type!, value);
    if (!input.oneOf) return this.#object(type!, input.fields, value);
    if (chosen === undefined) return value;
    const { [input.oneOf.property]: _, ...rest } = value;
    return { [chosen]: this.graphql(input.fields[chosen]!.input, rest) };
  }

  /**
   * REST's value, adapted where GraphQL's has another meaning: in a complete resource, null for a property that is not
   * nullable means absent.
   */
  rest(type: string | undefined, value: unknown, isPatch: boolean): unknown {
    const input = type === undefined ? undefined : this.#inputs[type];
    if (Array.isArray(value)) return value.map((one) => this.rest(type, one, isPatch));
    if (!input || !isJson(value)) return value;
    const chosen = this.#chosen(type!, value);
    if (input.oneOf) return chosen === undefined ? value : this.rest(input.fields[chosen]!.input, value, isPatch);
    const kept = isPatch ? value : this.#withoutOmitted(type!, value);
    const inputOf = (name: string) => input.fields[this.#spelling.inputField(type, name)]?.input;
    return mapped(kept, (name, one) => this.rest(inputOf(name), one, isPatch));
  }

  /** A JSON pointer into REST's value as a path into GraphQL's. */
  path(type: string | undefined, value: unknown, steps: readonly string[]): string[] {
    const [step, ...others] = steps;
    if (step === undefined) return [];
    const input = type === undefined ? undefined : this.#inputs[type];
    if (Array.isArray(value)) return [step, ...this.path(type, value[Number(step)], others)];
    const chosen = input?.oneOf && isJson(value) ? this.#chosen(type!, value) : undefined;
    if (chosen !== undefined) return [chosen, ...this.path(input!.fields[chosen]!.input, value, steps)];
    const field = this.#spelling.inputField(type, step);
    return [field, ...this.path(input?.fields[field]?.input, isJson(value) ? value[step] : undefined, others)];
  }

  #object(type: string, fields: InputDescriptor['fields'], value: Json): Json {
    const members = Object.entries(value).map(([property, one]) => {
      const name = this.#spelling.inputField(type, property);
      const input = fields[name]?.input;
      const given = this.#spelling.typeOf(type, name);
      return [name, input === undefined ? this.#spelling.value(given, one) : this.graphql(input, one)];
    });
    return Object.fromEntries(members);
  }

  #chosen(type: string, value: Json): string | undefined {
    const { oneOf } = this.#inputs[type]!;
    return oneOf && Object.keys(oneOf.values).find((field) => oneOf.values[field] === value[oneOf.property]);
  }

  #withoutOmitted(type: string, value: Json): Json {
    const { fields } = this.#inputs[type]!;
    const declared = (getNamedType(this.#schema.getType(type)!) as GraphQLInputObjectType).getFields();
    const isOmitted = (property: string): boolean => {
      const name = this.#spelling.inputField(type, property);
      return value[property] === null && fields[name]?.nullable === false && !isNonNullType(declared[name]?.type);
    };
    return Object.fromEntries(Object.entries(value).filter(([name]) => !isOmitted(name)));
  }
}

function isJson(value: unknown): value is Json {
  return isPlainObject(value);
}

function mapped(value: Json, map: (name: string, one: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, map(name, one)]));
}
