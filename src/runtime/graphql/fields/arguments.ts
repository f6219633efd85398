import type { GraphqlDescriptor, InputDescriptor, ParamArguments } from '../../../descriptor/graphql.ts';
import type { Id } from '../../../descriptor/resource.ts';
import type { PathParams } from '../../engine/interface/call.ts';
import { integerOf } from './ids.ts';

/** The arguments of a field, by name. */
export type Arguments = Readonly<Record<string, unknown>>;
export type Decode = (value: unknown) => unknown;

/** Reads path parameters from arguments. `integers` names those whose ids are integers. */
export function paramsReader(params: ParamArguments, integers: ReadonlySet<string>): (args: Arguments) => PathParams {
  const places = Object.entries(params).map(([argument, parameter]) => ({
    argument,
    parameter,
    isInteger: integers.has(parameter),
  }));
  return (args) => {
    const read: Record<string, Id> = {};
    for (const { argument, parameter, isInteger } of places) {
      const given = args[argument] as Id | null | undefined;
      if (given == null) continue;
      read[parameter] = isInteger ? (integerOf(given) as Id) : given;
    }
    return read;
  };
}

/** `whole`: a complete resource. `patch`: its changes (RFC 7396), where null clears a property. */
export type InputMode = 'whole' | 'patch';

/** Translates values of a contract's input types to the JSON that actions accept. */
export class InputDecoders {
  readonly #inputs: GraphqlDescriptor['inputs'];
  readonly #known = new Map<string, Decode>();

  constructor({ inputs }: GraphqlDescriptor) {
    this.#inputs = inputs;
  }

  /** The decoder of an input type; types may contain themselves. */
  of(type: string, mode: InputMode): Decode {
    const key = `${mode} ${type}`;
    const known = this.#known.get(key);
    if (known) return known;
    let made: Decode | undefined;
    this.#known.set(key, (value) => made!(value));
    made = this.#make(this.#inputs[type]!, mode);
    this.#known.set(key, made);
    return made;
  }

  #make(input: InputDescriptor, mode: InputMode): Decode {
    const fields = this.#fields(input, mode);
    return input.oneOf ? variant(input.oneOf, fields) : object(fields, mode);
  }

  #fields({ fields }: InputDescriptor, mode: InputMode): Fields {
    return new Map(
      Object.entries(fields).map(([name, { nullable, property = name, input, isIntegerId }]) => [
        name,
        {
          nullable,
          property,
          decode: input !== undefined ? each(this.of(input, mode)) : isIntegerId ? integerOf : undefined,
        },
      ]),
    );
  }
}

interface Field {
  readonly nullable: boolean;
  readonly property: string;
  readonly decode: Decode | undefined;
}
type Fields = ReadonlyMap<string, Field>;

/** GraphQL cannot declare an optional property that is not nullable: for one, null means absent, except in a patch. */
function object(fields: Fields, mode: InputMode): Decode {
  return (value) => {
    if (value == null) return value;
    const json: Record<string, unknown> = {};
    for (const [name, given] of Object.entries(value as Arguments)) {
      const field = fields.get(name);
      if (given === null && field && !field.nullable && mode === 'whole') continue;
      json[field?.property ?? name] = field?.decode ? field.decode(given) : given;
    }
    return json;
  };
}

/** The chosen variant with its discriminator. */
function variant({ property, values }: NonNullable<InputDescriptor['oneOf']>, fields: Fields): Decode {
  return (value) => {
    if (value == null) return value;
    const [[chosen, given]] = Object.entries(value as Arguments) as [[string, unknown]];
    return { [property]: values[chosen], ...(fields.get(chosen)!.decode!(given) as object) };
  };
}

/** Decodes a value, or each entry of a list. */
export function each(decode: Decode): Decode {
  return (value) => (Array.isArray(value) ? value.map(decode) : decode(value));
}
