import { conventionNames } from '../../../descriptor/convention-names.ts';
import type { ParamArguments } from '../../../descriptor/graphql.ts';
import { pointerTokens } from '../../../descriptor/json-pointer.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { BatchResult } from '../../engine/interface/engine.ts';
import type { FieldError } from '../../errors/api-error.ts';
import { inputPath, withArguments } from './argument-errors.ts';
import { inputTypeOf, typeOf } from './argument-names.ts';
import { type Arguments, type InputMode, paramsReader } from './arguments.ts';
import { idempotencyKeyOf } from './create-resolver.ts';
import { integerIds, integerOf, integerParameters } from './ids.ts';
import { furtherFieldOf, type ResolverRuntime } from './resolver-runtime.ts';
import type { Resolve } from './resolvers.ts';
import { sentInput } from './sent-input.ts';

/** The input types of the members of items, by kind and member. */
type MemberTypes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** `batchProducts(mode:, items:)`: an item that fails is null, with an error at its path. */
export function batchResolver<Answer>(
  runtime: ResolverRuntime,
  resource: string,
  operation: string,
): Resolve<Answer, unknown, object> {
  const actions = runtime.engine.resources.get(resource);
  const batch = actions?.batches.get(operation);
  if (!actions || !batch) throw new Error(`${resource} has no batch ${operation}.`);
  const { descriptor } = actions;
  const { params } = furtherFieldOf(runtime, 'batch', operation);
  const readParams = paramsReader(params, integerParameters(runtime.engine, descriptor));
  const types = memberTypes(runtime, descriptor);
  const decode = itemDecoder(runtime, descriptor, types);
  const name = typeOf(runtime.descriptor, descriptor);
  const shown = `${name[0]!.toLowerCase()}${name.slice(1)}`;
  const show = ({ status, id, entity }: BatchResult): object => ({ status, id, [shown]: entity?.view ?? null });
  return async (_parent, given, context, info) => {
    const args: Arguments = { ...given };
    const { mode } = args;
    const caller = context.session.callerFor(batch.access);
    const place = (error: FieldError) => placeOf(error, args, types, params, runtime);
    try {
      const call = { caller, params: readParams(args) };
      actions.checkParams(call.params);
      const items = sentInput(args['items'], info, context.variables, 'items') as readonly Arguments[];
      const input = { ...(mode != null && { mode }), items: items.map(decode) };
      const results = await batch.run({ ...call, input, idempotencyKey: idempotencyKeyOf(context, info) });
      return {
        results: results.map((one) => (one instanceof Error ? withArguments(one, place) : show(one))),
      } as Answer;
    } catch (error) {
      throw withArguments(error, place);
    }
  };
}

function memberTypes({ fields }: ResolverRuntime, descriptor: ResourceDescriptor): MemberTypes {
  const input = inputTypeOf(fields, descriptor, 'create') || inputTypeOf(fields, descriptor, 'replace');
  const patch = inputTypeOf(fields, descriptor, 'update');
  const key = input === '' ? patch : input;
  return {
    create: { input },
    update: { key, input: patch },
    replace: { key, input },
    delete: { key },
    upsert: { key, create: input, update: patch },
  };
}

/** Reads an item as the JSON of REST; a member that is null is left out. */
function itemDecoder({ inputs }: ResolverRuntime, descriptor: ResourceDescriptor, types: MemberTypes) {
  const { ifVersion } = conventionNames(descriptor.nameCase);
  const hasIntegers = integerIds(descriptor).has('id');
  const modeOf = (kind: string, member: string): InputMode =>
    (kind === 'update' && member === 'input') || member === 'update' ? 'patch' : 'whole';
  const member = (kind: string, name: string, value: unknown): readonly [string, unknown] => {
    if (name === 'id') return [name, hasIntegers ? integerOf(value) : value];
    const type = types[kind]?.[name];
    if (type === undefined) return [name === 'ifVersion' ? ifVersion : name, value];
    return [name, inputs.of(type, modeOf(kind, name))(value)];
  };
  return (item: Arguments): unknown =>
    Object.fromEntries(
      Object.entries(item).map(([kind, part]) => {
        const given = Object.entries(Object(part) as Arguments).filter(([, value]) => value !== null);
        return [kind, Object.fromEntries(given.map(([name, value]) => member(kind, name, value)))];
      }),
    );
}

/** `/items/3/update/input/price` becomes `items.3.update.input.price`, and a path parameter the argument with its value. */
function placeOf(
  error: FieldError,
  args: Arguments,
  types: MemberTypes,
  params: ParamArguments,
  { descriptor }: ResolverRuntime,
): string | undefined {
  if ('parameter' in error) return Object.keys(params).find((argument) => params[argument] === error.parameter);
  if (!('pointer' in error)) return undefined;
  const [items = '', at, kind, member, ...rest] = pointerTokens(error.pointer);
  const start = [items, at, kind].filter((token) => token !== undefined);
  if (kind === undefined || member === undefined) return start.join('.');
  const type = types[kind]?.[member];
  const name = type === undefined && /^if_?version$/i.test(member) ? 'ifVersion' : member;
  const given = [args['items']].flat()[Number(at)] as Readonly<Record<string, Arguments | undefined>> | undefined;
  return [...start, name, ...inputPath(rest, type, given?.[kind]?.[member], descriptor.inputs)].join('.');
}
