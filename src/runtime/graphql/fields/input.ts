import type { GraphqlDescriptor, InputDescriptor } from '../../../descriptor/graphql.ts';
import { integerOf } from './ids.ts';

type Json = Readonly<Record<string, unknown>>;
export type Decode = (value: unknown) => unknown;

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
    for (const [name, given] of Object.entries(value as Json)) {
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
    const [[chosen, given]] = Object.entries(value as Json) as [[string, unknown]];
    return { [property]: values[chosen], ...(fields.get(chosen)!.decode!(given) as object) };
  };
}

/** Decodes a value, or each entry of a list. */
export function each(decode: Decode): Decode {
  return (value) => (Array.isArray(value) ? value.map(decode) : decode(value));
}
