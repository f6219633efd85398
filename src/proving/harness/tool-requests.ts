import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { pointerTokens } from '../../descriptor/json-pointer.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import type { OperationDescriptor } from '../../descriptor/rest.ts';
import { MCP_PATH, type ToolDescriptor } from '../../descriptor/tools.ts';
import { admits, type Caller } from './callers.ts';
import type { CustomCall } from './custom-calls.ts';
import { jsonOf, type WireReply, type WireRequest } from './request.ts';
import { problem, restOutcome } from './rest-requests.ts';
import { type Outcome, operationOf, type ReportedError, type Step } from './step.ts';

type SignedIn = Pick<Caller, 'authorization' | 'isInvalid'>;

/** Builds calls of tools, over the Model Context Protocol, and reads their answers. */
export class ToolRequests {
  readonly #tools: ReadonlyMap<string, ToolDescriptor>;
  readonly #operations: ReadonlyMap<string, OperationDescriptor>;
  readonly #securitySchemes: CompiledContract['rest']['securitySchemes'];
  readonly #alwaysSignsIn: boolean;

  constructor({ tools, rest }: Pick<CompiledContract, 'tools' | 'rest'>) {
    this.#securitySchemes = rest.securitySchemes;
    this.#alwaysSignsIn = tools?.alwaysSignsIn === true;
    this.#tools = new Map(tools?.tools.map((tool) => [tool.operationId, tool]));
    this.#operations = new Map(rest.operations.map((operation) => [operation.operationId, operation]));
  }

  /** The tool of an operation; undefined: it is not offered, or the server asks this caller to sign in first. */
  of(operationId: string, caller?: SignedIn): ToolDescriptor | undefined {
    return caller && this.#asksToSignIn(caller) ? undefined : this.#tools.get(operationId);
  }

  /** The names of the tools that a caller must be shown; undefined: it is asked to sign in. */
  shownTo(caller: Caller): readonly string[] | undefined {
    if (this.#asksToSignIn(caller)) return undefined;
    const isShown = ({ operationId }: ToolDescriptor): boolean => {
      const { anyOf } = lookUp(this.#operations, operationId).access;
      const byToken = anyOf.filter(({ schemes }) => schemes.every(({ name }) => this.#securitySchemes[name]?.isBearer));
      return byToken.length > 0 ? admits({ anyOf: byToken }, caller) : anyOf.length === 0;
    };
    return [...this.#tools.values()].filter(isShown).map(({ name }) => name);
  }

  #asksToSignIn({ authorization, isInvalid }: SignedIn): boolean {
    return this.#alwaysSignsIn && (authorization === undefined || isInvalid === true);
  }

  /** The call of a step's tool. */
  request(
    { params, query = {}, input, ifVersion, ifAbsent, caller, ...step }: Step,
    tool: ToolDescriptor,
  ): WireRequest {
    const args = {
      ...this.#typed(operationOf({ params, ...step }), params),
      ...query,
      ...(input !== undefined && { input }),
      ...(ifVersion !== undefined && { ifVersion }),
      ...(ifAbsent && { ifAbsent }),
    };
    return this.call(tool, args, caller);
  }

  call({ name }: ToolDescriptor, args: object, caller: Pick<Caller, 'authorization'>): WireRequest {
    return this.#message('tools/call', caller, { name, arguments: args });
  }

  /** The request for the tools that a caller is shown. */
  list(caller: Pick<Caller, 'authorization'>): WireRequest {
    return this.#message('tools/list', caller);
  }

  #message(method: string, { authorization }: Pick<Caller, 'authorization'>, params?: object): WireRequest {
    const message = { jsonrpc: '2.0', id: 1, method, ...(params && { params }) };
    return {
      method: 'POST',
      url: MCP_PATH,
      headers: { ...(authorization !== undefined && { authorization }), 'content-type': 'application/json' },
      body: JSON.stringify(message),
    };
  }

  /** The call of a custom operation. */
  customRequest(
    tool: ToolDescriptor,
    { parameters }: Pick<CustomCall, 'parameters'>,
    input: unknown,
    caller: Pick<Caller, 'authorization'>,
  ): WireRequest {
    const texts = Object.entries(parameters).filter((one): one is [string, string] => typeof one[1] === 'string');
    const typed = this.#typed(tool.operationId, Object.fromEntries(texts));
    return this.call(tool, { ...parameters, ...typed, ...(input !== undefined && { input }) }, caller);
  }

  /** Path parameters are texts in a path, and values here. */
  #typed(operationId: string, params: Step['params']): Readonly<Record<string, unknown>> {
    const declared = this.#operations.get(operationId)?.parameters ?? [];
    const isNumber = (name: string): boolean =>
      declared.some((one) => one.name === name && one.kind === 'scalar' && one.types.some((type) => NUMBERS.has(type)));
    const own = Object.entries(params).filter(([name]) => declared.some((one) => one.name === name));
    return Object.fromEntries(own.map(([name, value]) => [name, isNumber(name) ? numberOf(value) : value]));
  }
}

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'number']);

const numberOf = (text: string): unknown => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

/** The outcome of a call, in the form of REST's; an answer without content is the status 204. */
export function toolOutcome(step: Step, reply: WireReply, saysStatus: boolean): Outcome {
  if (reply.status !== 200) return problem(reply.status, reply.text, reply.json);
  const answer = answerOf(reply);
  if (answer?.status === 204) return { kind: 'data', value: true };
  if (answer?.status === 200 && saysStatus) return { kind: 'data', value: answer.json.body };
  return answer ? restOutcome(step, answer) : { kind: 'malformed', text: `${reply.status} ${reply.text}` };
}

/** What REST would have replied; undefined: the protocol has no such message. */
function answerOf({ json }: WireReply): WireReply | undefined {
  const { content, isError = false } = json?.result ?? {};
  if (json?.jsonrpc !== '2.0' || !Array.isArray(content) || content.length > 1) return undefined;
  const text: string = content[0]?.text ?? '';
  const value = jsonOf(text);
  const status = isError ? Number(Object(value).status) : text === '' ? 204 : 200;
  return { status, text, json: value };
}

/** The path into the arguments of a tool where an error is due that REST reports. */
export function argumentOfTool({ header, parameter, pointer = '' }: ReportedError): string {
  if (header !== undefined) return HEADERS[header.toLowerCase()] ?? header.toLowerCase();
  if (parameter === undefined) return ['input', ...pointerTokens(pointer)].join('.');
  return parameter
    .split(/[[\]/]+/)
    .filter((part) => part !== '')
    .join('.');
}

const HEADERS: Readonly<Record<string, string>> = {
  'if-match': 'ifVersion',
  'if-none-match': 'ifAbsent',
  'idempotency-key': 'idempotencyKey',
};
