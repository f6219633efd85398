import { ownMember } from '../../descriptor/look-up.ts';
import { BODY_INPUT, inputName } from '../../descriptor/operation-inputs.ts';
import type { OperationDescriptor, ParameterDescriptor } from '../../descriptor/rest.ts';
import { FIELDS_ARGUMENT, type ToolDescriptor } from '../../descriptor/tools.ts';
import type { Expectation } from '../engine/interface/call.ts';
import { validationFailed } from '../engine/resource/validated.ts';
import type { FieldError } from '../errors/api-error.ts';
import { shortened } from '../errors/bounded.ts';

/** The arguments of a call, by name. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Visible ASCII and spaces: the characters of the header field over REST. */
const KEY = /^[\x20-\x7e]{1,255}$/;

/** A version as the schema of the tool has it. */
interface VersionSchema {
  readonly type?: string;
  readonly minimum?: number;
}

type Fault = (value: unknown, schema: VersionSchema) => string | undefined;

/** What is wrong with a value of an argument that tools have beside the inputs of operations. */
const OWN: Readonly<Record<string, Fault>> = {
  [FIELDS_ARGUMENT]: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string') ? undefined : 'must be a list of texts',
  ifVersion(value, { type, minimum = 1 }) {
    const isVersion =
      type === 'string' ? typeof value === type : Number.isSafeInteger(value) && Number(value) >= minimum;
    return isVersion ? undefined : 'must be a version';
  },
  ifAbsent: (value) => (typeof value === 'boolean' ? undefined : 'must be boolean'),
  idempotencyKey: (value) =>
    typeof value === 'string' && KEY.test(value) ? undefined : 'must be a text of 1 to 255 visible ASCII characters',
};

/**
 * Checks that a tool has all arguments of a call, that none is missing, and those that no input of its operation stands for.
 * Throws `VALIDATION_FAILED` with every fault.
 */
export function argumentsCheck({ inputSchema }: ToolDescriptor): (args: Arguments) => void {
  const { properties, required = [] } = inputSchema as {
    readonly properties: Readonly<Record<string, VersionSchema>>;
    readonly required?: readonly string[];
  };
  return (args) => {
    const faults: FieldError[] = [];
    for (const [name, value] of Object.entries(args)) {
      const schema = ownMember(properties, name);
      const detail = schema === undefined ? 'is not a known parameter' : OWN[name]?.(value, schema);
      if (detail !== undefined) faults.push({ argument: shortened(name), detail });
    }
    for (const argument of required) if (args[argument] === undefined) faults.push({ argument, detail: 'is required' });
    if (faults.length > 0) throw validationFailed(faults);
  };
}

/** Reads the values of some parameters; those that are left out stay so. */
export function parametersReader(
  { parameters }: OperationDescriptor,
  places: readonly ParameterDescriptor['in'][],
): (args: Arguments) => Record<string, unknown> {
  const names = parameters.filter((one) => places.includes(one.in)).flatMap((one) => inputName(one) ?? []);
  return (args) => {
    const read: Record<string, unknown> = {};
    for (const name of names) if (args[name] !== undefined) read[name] = args[name];
    return read;
  };
}

/** `ifVersion` corresponds to `If-Match` over REST, `ifAbsent` to `If-None-Match: *`. */
export function expectationIn({ ifVersion, ifAbsent }: Arguments): { readonly expect?: Expectation } {
  if (ifVersion === undefined && ifAbsent !== true) return {};
  return {
    expect: {
      ...(ifVersion !== undefined && { ifMatch: [ifVersion as number] }),
      ...(ifAbsent === true && { ifNoneMatch: 'any' }),
    },
  };
}

const OF_HEADERS: Readonly<Record<string, string>> = {
  'if-match': 'ifVersion',
  'if-none-match': 'ifAbsent',
  'idempotency-key': 'idempotencyKey',
};

/** A fault with its place as a path into the arguments: `input.tags.0`, `price.gte`. */
export function inArguments(error: FieldError): FieldError {
  const { detail, code } = error;
  return { argument: placeOf(error), ...(code !== undefined && { code }), detail };
}

function placeOf(error: FieldError): string {
  if ('argument' in error) return error.argument;
  if ('pointer' in error) return [BODY_INPUT, ...partsOf(error.pointer, /\//)].join('.');
  if ('parameter' in error) return partsOf(error.parameter, /[[\]/]+/).join('.');
  const field = error.header.toLowerCase();
  return OF_HEADERS[field] ?? field;
}

const partsOf = (place: string, divider: RegExp): readonly string[] =>
  place
    .split(divider)
    .filter((part) => part !== '')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
