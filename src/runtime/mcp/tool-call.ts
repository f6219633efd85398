import type { Access } from '../../descriptor/access.ts';
import { isJson } from '../../descriptor/content.ts';
import { BODY_INPUT, successesOf } from '../../descriptor/operation-inputs.ts';
import { isAction } from '../../descriptor/resource.ts';
import { declaredFor, type OperationDescriptor } from '../../descriptor/rest.ts';
import { FIELDS_ARGUMENT } from '../../descriptor/tools.ts';
import type { RouteBinding } from '../../descriptor/wiring-plan.ts';
import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import type { Caller, ListCall, PathParams, WriteCall } from '../engine/interface/call.ts';
import type { Engine, Entity, Page, ResourceActions, TotalsOperation } from '../engine/interface/engine.ts';
import { pageBody, pageForm, pageText } from '../engine/lists/page-text.ts';
import { totalsText } from '../engine/lists/totals-text.ts';
import { validationFailed } from '../engine/resource/validated.ts';
import type { CodeAnswer } from '../operations/code-answer.ts';
import type { Operations } from '../operations/create-operations.ts';
import type { Pickers } from '../schema/pick.ts';
import { batchRun, type ProblemOf } from './batch-run.ts';
import { linkRun } from './link-run.ts';
import { type Arguments, expectationIn, parametersReader } from './tool-arguments.ts';

/** An answer as it stands in the message: a text as a JSON string; undefined: it has no content. */
type QuotedText = string | undefined;

/** What a tool calls. */
export interface ToolCall {
  readonly access: Access;
  /** `problemOf`: the failure of an item among others. Throws `ApiError`. */
  readonly run: (caller: Caller, args: Arguments, problemOf: ProblemOf) => MaybePromise<QuotedText>;
}

/** What tools call: actions of resources, and custom operations. */
export interface Callable {
  readonly engine: Engine;
  readonly operations: Operations;
  readonly pickers: Pickers;
}

/** The call of an operation, by what answers it in `generated/routes.ts`. */
export function toolCall(operation: OperationDescriptor, binding: RouteBinding, callable: Callable): ToolCall {
  if ('operationId' in binding) return operationCall(operation, callable);
  const { engine } = callable;
  const actions = engine.resources.get(binding.resource);
  if (!actions) throw new Error(`The contract has no resource ${binding.resource}.`);
  const { bind } = binding;
  const [by = ''] = binding.by ?? [];
  const further = actions.furtherLists.get(by);
  if (further)
    return { access: further.access, run: listRun(operation, actions, engine, (call) => further.list(call)) };
  const totals = actions.totals.get(by);
  if (totals) return { access: totals.access, run: totalsRun(operation, actions, totals) };
  const batch = actions.batches.get(by);
  if (batch) return { access: batch.access, run: batchRun(operation, actions, batch) };
  const link = actions.links.get(by);
  if (link) return { access: link.access, run: linkRun(operation, actions, link) };
  const access = isAction(bind) ? actions.descriptor.actions[bind]?.access : undefined;
  if (!access || !isAction(bind)) throw new Error(`${binding.resource} has no action ${bind}.`);
  if (bind === 'list') return { access, run: listRun(operation, actions, engine, (call) => actions.list(call)) };
  if (bind === 'get') return { access, run: getRun(operation, actions, engine) };
  return { access, run: writeRun(operation, actions, bind) };
}

const quoted = ({ json }: Pick<Entity, 'json'>): string => JSON.stringify(json);

function listRun(
  operation: OperationDescriptor,
  actions: ResourceActions,
  engine: Engine,
  list: (call: ListCall) => MaybePromise<Page>,
): ToolCall['run'] {
  const paramsOf = parametersReader(operation, ['path']);
  const queryOf = parametersReader(operation, ['query']);
  const { descriptor } = actions;
  const form = pageForm(descriptor);
  const narrowed = narrowing(actions);
  const namesIn = namesReader(operation, actions);
  return (caller, args) => {
    const narrow = narrowed(args);
    const params = paramsOf(args) as PathParams;
    const { names, query } = namesIn(queryOf(args));
    actions.checkParams(params);
    actions.checkQuery(query);
    if (names) {
      const include = engine.include({ resource: descriptor.key, names, query, caller });
      return whenKnown(list({ caller, params, query }), async (page) => {
        const texts = await include(page.items);
        const shown = narrow ? texts.map((text) => JSON.stringify(narrow(JSON.parse(text)))) : texts;
        return JSON.stringify(pageText(page, form, shown));
      });
    }
    return whenKnown(list({ caller, params, query }), (page) => {
      if (!narrow) {
        page.rendered.mcp ??= JSON.stringify(pageText(page, form));
        return page.rendered.mcp as string;
      }
      const { data, page: info } = pageBody(page, form);
      return JSON.stringify(JSON.stringify({ data: data.map(narrow), page: info }));
    });
  };
}

function totalsRun(operation: OperationDescriptor, actions: ResourceActions, totals: TotalsOperation): ToolCall['run'] {
  const paramsOf = parametersReader(operation, ['path']);
  const queryOf = parametersReader(operation, ['query']);
  return (caller, args) => {
    const params = paramsOf(args) as PathParams;
    const query = queryOf(args);
    actions.checkParams(params);
    totals.checkQuery(query);
    return whenKnown(totals.read({ caller, params, query }), (found) =>
      JSON.stringify(totalsText(found, actions.descriptor)),
    );
  };
}

function getRun(operation: OperationDescriptor, actions: ResourceActions, engine: Engine): ToolCall['run'] {
  const paramsOf = parametersReader(operation, ['path']);
  const queryOf = parametersReader(operation, ['query']);
  const narrowed = narrowing(actions);
  const namesIn = namesReader(operation, actions);
  return (caller, args) => {
    const narrow = narrowed(args);
    const params = paramsOf(args) as PathParams;
    const { names } = namesIn(queryOf(args));
    actions.checkParams(params);
    if (names) {
      const include = engine.include({ resource: actions.descriptor.key, names, caller });
      return whenKnown(actions.get({ caller, params }), async (entity) => {
        const [json = ''] = await include([entity]);
        return JSON.stringify(narrow ? JSON.stringify(narrow(JSON.parse(json))) : json);
      });
    }
    return whenKnown(actions.get({ caller, params }), (entity) =>
      narrow ? JSON.stringify(JSON.stringify(narrow(entity.value))) : quoted(entity),
    );
  };
}

/** Takes what a query includes out of it. Throws `VALIDATION_FAILED` for names that the operation does not offer. */
function namesReader(
  { operationId, parameters }: OperationDescriptor,
  { descriptor, checkInclude }: ResourceActions,
): (query: ListCall['query']) => { readonly names?: readonly string[] | undefined; readonly query: ListCall['query'] } {
  const offers = parameters.some(({ in: place, name }) => place === 'query' && name === 'include');
  if (!offers || !descriptor.includes) return (query) => ({ query });
  return ({ include, ...query }) => {
    if (include === undefined) return { query };
    checkInclude(operationId, include);
    return { names: include as readonly string[], query };
  };
}

type Narrow = (value: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

/** Reads which properties a call asks for; undefined: all. Throws `VALIDATION_FAILED` for any other name. */
function narrowing({ descriptor: { properties, includes } }: ResourceActions): (args: Arguments) => Narrow | undefined {
  const known = properties.map(({ name }) => name);
  return ({ [FIELDS_ARGUMENT]: fields }) => {
    if (fields === undefined) return undefined;
    const detail = `must be one of ${known.join(', ')}`;
    const faults = (fields as readonly string[]).flatMap((name, i) =>
      known.includes(name) ? [] : [{ argument: `${FIELDS_ARGUMENT}.${i}`, detail }],
    );
    if (faults.length > 0) throw validationFailed(faults);
    const asked = new Set(fields as readonly string[]);
    const isShown = (name: string): boolean =>
      asked.has(name) || (includes !== undefined && Object.hasOwn(includes, name));
    return (value) => Object.fromEntries(Object.entries(value).filter(([name]) => isShown(name)));
  };
}

type Write = 'create' | 'replace' | 'update' | 'delete';

function writeRun(operation: OperationDescriptor, actions: ResourceActions, action: Write): ToolCall['run'] {
  const paramsOf = parametersReader(operation, ['path']);
  const write = writeOf(actions, action);
  return (caller, args) => {
    const params = paramsOf(args) as PathParams;
    const { [BODY_INPUT]: input, idempotencyKey } = args;
    if (action === 'delete') actions.checkParams(params);
    else actions.checkParams(params, action, input);
    const key = idempotencyKey === undefined ? {} : { idempotencyKey: idempotencyKey as string };
    return write({ caller, params, input, ...expectationIn(args), ...key });
  };
}

function writeOf(actions: ResourceActions, action: Write): (call: WriteCall) => MaybePromise<QuotedText> {
  switch (action) {
    case 'create':
      return (call) => whenKnown(actions.create(call), quoted);
    case 'replace':
      return (call) => whenKnown(actions.replace(call), ({ entity }) => quoted(entity));
    case 'update':
      return (call) => whenKnown(actions.update(call), quoted);
    default:
      return ({ input: _, ...call }) => whenKnown(actions.delete(call), () => undefined);
  }
}

function operationCall(descriptor: OperationDescriptor, { operations, pickers }: Callable): ToolCall {
  const operation = operations[descriptor.operationId];
  if (!operation) throw new Error(`The contract has no operation ${descriptor.operationId}.`);
  const inputsOf = parametersReader(descriptor, ['path', 'query', 'header', 'cookie']);
  const render = answerText(descriptor, pickers);
  return {
    access: descriptor.access,
    run: async (caller, args) => {
      const { [BODY_INPUT]: input } = args;
      const inputs = { ...inputsOf(args), ...(input !== undefined && { [BODY_INPUT]: input }) };
      operation.check(inputs);
      return operation.run(caller, inputs, render);
    },
  };
}

/** What the contract declares of an answer; of several successes, with the status. */
function answerText({ responses }: OperationDescriptor, pickers: Pickers): (answer: CodeAnswer) => QuotedText {
  const isOneOfSeveral = successesOf(responses).length > 1;
  return ({ status, body }) => {
    const [media] = Object.entries(declaredFor(responses, status) ?? {});
    const [type, { schema = true }] = media ?? ['', {}];
    const shown = body === undefined || !isJson(type) ? body : pickers.of(schema)(body);
    if (isOneOfSeveral) return JSON.stringify(JSON.stringify({ status, ...(shown !== undefined && { body: shown }) }));
    if (shown === undefined) return undefined;
    return JSON.stringify(isJson(type) ? JSON.stringify(shown) : shown);
  };
}
