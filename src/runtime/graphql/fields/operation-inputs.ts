import type { ArgumentSource, CustomField } from '../../../descriptor/graphql.ts';
import { pointerTokens } from '../../../descriptor/json-pointer.ts';
import { BODY_INPUT, inputName } from '../../../descriptor/operation-inputs.ts';
import type { FieldError } from '../../errors/api-error.ts';
import type { Inputs } from '../../operations/input-check.ts';
import { type Inputs as InputTypes, inputPath, isPlaceOf } from './argument-errors.ts';
import { type Arguments, type Decode, each, type InputDecoders } from './arguments.ts';

/**
 * Reads the inputs of an operation, by their names in the document, from the arguments of its field and from its parent. Null if
 * the parent has nothing for a path parameter.
 */
export type ReadInputs = (args: Arguments, parent: unknown) => Inputs | null;

export function inputsReader(
  { arguments: sources = {}, parent = {} }: CustomField,
  decoders: InputDecoders,
): ReadInputs {
  const ofParent = Object.entries(parent);
  const places = Object.entries(sources).map(([argument, source]) => ({
    argument,
    acceptsNull: source.nullable === true,
    decode: decoderOf(source, decoders),
    put: putterOf(source),
  }));
  return (args, above) => {
    const inputs: Record<string, unknown> = {};
    for (const [parameter, property] of ofParent) {
      const value = (above as Arguments)[property];
      if (value == null) return null;
      inputs[parameter] = value;
    }
    for (const { argument, acceptsNull, decode, put } of places) {
      const given = args[argument];
      if (given !== undefined && (given !== null || acceptsNull)) put(inputs, decode(given));
    }
    return inputs;
  };
}

function decoderOf({ input, isVersion }: ArgumentSource, decoders: InputDecoders): Decode {
  if (input !== undefined) return each(decoders.of(input, 'whole'));
  return isVersion ? (version) => `"${version}"` : (value) => value;
}

/** Puts a value among inputs. */
function putterOf({
  in: place,
  name = BODY_INPUT,
}: ArgumentSource): (inputs: Record<string, unknown>, value: unknown) => void {
  const isOfBody = place === 'body' && name !== BODY_INPUT;
  const key = inputName({ in: place, name }) ?? name;
  return (inputs, value) => {
    if (isOfBody) inputs[BODY_INPUT] = { ...Object(inputs[BODY_INPUT]), [name]: value };
    else inputs[key] = value;
  };
}

/** A place in the inputs of an operation, and the rest of the path within it. */
type Place = readonly [argument: string, inside: readonly string[]];

/** The path into the arguments of a place in an operation's inputs; undefined for what no argument gives. */
export function argumentOf(
  error: FieldError,
  { arguments: sources = {} }: CustomField,
  args: Arguments,
  types: InputTypes,
): string | undefined {
  const [argument, inside] = placeOf(error, Object.entries(sources)) ?? [];
  if (argument === undefined || inside === undefined) return undefined;
  return [argument, ...inputPath(inside, sources[argument]?.input, args[argument], types)].join('.');
}

function placeOf(error: FieldError, sources: readonly (readonly [string, ArgumentSource])[]): Place | undefined {
  if ('pointer' in error) {
    const [property, ...inside] = pointerTokens(error.pointer);
    for (const [argument, { in: place, name }] of sources) {
      if (place === 'body' && name === undefined) return [argument, pointerTokens(error.pointer)];
      if (place === 'body' && name === property) return [argument, inside];
    }
  }
  for (const [argument, { in: place, name = '' }] of sources) {
    if ('header' in error && place === 'header' && name.toLowerCase() === error.header.toLowerCase())
      return [argument, []];
    if ('parameter' in error && /path|query|cookie/.test(place) && isPlaceOf(error.parameter, name))
      return [
        argument,
        error.parameter
          .slice(name.length)
          .split(/[[\]./]+/)
          .filter((part) => part !== ''),
      ];
  }
  return undefined;
}
