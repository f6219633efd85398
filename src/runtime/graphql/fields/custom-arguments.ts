import type { Schema } from '../../../descriptor/document.ts';
import type { ArgumentSource, CustomField } from '../../../descriptor/graphql.ts';
import { pointerTokens } from '../../../descriptor/json-pointer.ts';
import type { BodyDescriptor, OperationDescriptor, RestDescriptor } from '../../../descriptor/rest.ts';
import { validationFailed } from '../../engine/resource/validated.ts';
import type { FieldError } from '../../errors/api-error.ts';
import type { SchemaRegistry, Validate } from '../../schema/schema-registry.ts';
import { type Inputs, inputPath } from './argument-errors.ts';
import { type Arguments, type Decode, each, type InputDecoders } from './arguments.ts';

/** Checks the arguments of a field. Throws `VALIDATION_FAILED` with paths into the arguments. */
export type CheckArguments = (args: Arguments) => void;

/** What the arguments of custom fields are checked by. */
export interface ArgumentSchemas {
  readonly rest: RestDescriptor;
  readonly schemas: SchemaRegistry;
  readonly decoders: InputDecoders;
  readonly inputs: Inputs;
}

/** The faults in arguments. */
type Faults = (args: Arguments) => readonly FieldError[];

/**
 * Checks the arguments of a custom field by the schemas by which REST checks requests to its operation: SDL has no words
 * for a pattern, a length or most bounds. Undefined for a field without an operation, and for one that takes nothing.
 */
export function argumentCheck(field: CustomField, sources: ArgumentSchemas): CheckArguments | undefined {
  const { operationId, arguments: named } = field;
  const operation = sources.rest.operations.find((one) => one.operationId === operationId);
  if (!operation || !named) return undefined;
  const body = jsonSchema(operation.requestBody);
  const inBody = Object.entries(named).filter(([, source]) => source.in === 'body');
  const checks = Object.entries(named).flatMap(([argument, source]): Faults[] => {
    const schema = source.in === 'body' ? undefined : schemaOf(operation, source);
    return schema === undefined ? [] : [valueFaults(argument, source, schema, sources)];
  });
  if (body !== undefined) checks.push(...bodyFaults(inBody, body, sources));
  return (args) => {
    const faults = checks.flatMap((check) => check(args));
    if (faults.length > 0) throw validationFailed(faults);
  };
}

const jsonSchema = (body: BodyDescriptor | undefined): Schema | undefined =>
  Object.entries(body?.content ?? {}).find(([type]) => type.split(';')[0]!.trim() === 'application/json')?.[1].schema;

const schemaOf = ({ parameters }: OperationDescriptor, source: ArgumentSource): Schema | undefined =>
  parameters.find(({ in: place, name }) => place === source.in && name === source.name)?.schema;

/** An argument with the whole body, or some with a property of it each. */
function bodyFaults(
  given: readonly (readonly [string, ArgumentSource])[],
  schema: Schema,
  sources: ArgumentSchemas,
): readonly Faults[] {
  const whole = given.find(([, { name }]) => name === undefined);
  if (whole) return [valueFaults(...whole, schema, sources)];
  return given.length === 0 ? [] : [propertyFaults(given, schema, sources)];
}

/** Null means that the value is absent, which only the type of the argument forbids. */
function valueFaults(argument: string, { input }: ArgumentSource, schema: Schema, sources: ArgumentSchemas): Faults {
  const validate: Validate = sources.schemas.input(schema);
  const decode = decoderOf(input, sources);
  return (args) => {
    const given = args[argument];
    if (given == null) return [];
    const errors = validate(decode(given)) ?? [];
    return errors.map((error) => at(error, (tokens) => [argument, ...inputPath(tokens, input, given, sources.inputs)]));
  };
}

/** Arguments that are properties of the body. */
function propertyFaults(
  given: readonly (readonly [string, ArgumentSource])[],
  schema: Schema,
  sources: ArgumentSchemas,
): Faults {
  const validate = sources.schemas.input(schema);
  const properties = given.map(([argument, { name = argument, input, nullable }]) => ({
    argument,
    name,
    input,
    isAbsent: (value: unknown): boolean => value === undefined || (value === null && !nullable),
    decode: decoderOf(input, sources),
  }));
  return (args) => {
    const present = properties.filter(({ argument, isAbsent }) => !isAbsent(args[argument]));
    const body = Object.fromEntries(present.map(({ name, argument, decode }) => [name, decode(args[argument])]));
    const errors = present.length === 0 ? [] : (validate(body) ?? []);
    return errors.map((error) =>
      at(error, ([name, ...tokens]) => {
        const found = properties.find((one) => one.name === name);
        if (!found) return name === undefined ? [] : [name, ...tokens];
        const { argument, input } = found;
        return [argument, ...inputPath(tokens, input, args[argument], sources.inputs)];
      }),
    );
  };
}

const decoderOf = (input: string | undefined, { decoders }: ArgumentSchemas): Decode =>
  input === undefined ? (value) => value : each(decoders.of(input, 'whole'));

/** A fault with its pointer as a path into the arguments; one in all properties together stays as it is. */
function at(error: FieldError, toPath: (tokens: readonly string[]) => readonly string[]): FieldError {
  const path = 'pointer' in error ? toPath(pointerTokens(error.pointer)) : [];
  if (path.length === 0) return error;
  return { argument: path.join('.'), ...(error.code !== undefined && { code: error.code }), detail: error.detail };
}
