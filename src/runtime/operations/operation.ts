import type { OperationDescriptor } from '../../descriptor/rest.ts';
import type { Caller } from '../engine/interface/call.ts';
import type { Engine, TenantGroup } from '../engine/interface/engine.ts';
import type { OverrideContext } from '../engine/interface/untyped.ts';
import { ApiError, notImplemented } from '../errors/api-error.ts';
import { type AnswerSchemas, type CodeAnswer, createAnswerOf, reply } from './code-answer.ts';
import { createInputCheck, type Inputs } from './input-check.ts';

type Context = OverrideContext & { readonly reply: typeof reply };
type CodeOfOne = (inputs: Inputs, context: Context) => unknown;
type CodeOfEach = (inputs: readonly Inputs[], context: Context) => unknown;

/** Untyped code of an operation: for one call, or for each of many at once. `OperationHandler` is the typed one. */
export type OperationCode = CodeOfOne | { readonly each: CodeOfEach };

/** Translates an answer within the transaction, which what it throws takes back. */
type Translate<T> = (answer: CodeAnswer) => T;

/** An operation that hand-written code answers, for every protocol. */
export interface Operation {
  readonly operationId: string;
  /** No success has content. */
  readonly isSilent: boolean;
  /** Checks inputs that no router has decoded, and sets their defaults. Throws `VALIDATION_FAILED` with every fault. */
  check(inputs: Inputs): void;
  /** Throws `ApiError`, and an error for an answer that the contract does not allow. */
  run<T>(caller: Caller, inputs: Inputs, translate: Translate<T>): Promise<T>;
  /** Many calls at once, which only read: for each its answer, or the error of its code. `scope`: whose rows they reach. */
  runEach<T>(
    caller: Caller,
    inputs: readonly Inputs[],
    translate: Translate<T>,
    scope?: TenantGroup['scope'],
  ): Promise<readonly (T | ApiError)[]>;
}

export interface OperationParts extends AnswerSchemas {
  readonly engine: Pick<Engine, 'perform'>;
}

/** The operation of a function; without one, it answers `NOT_IMPLEMENTED`. */
export function createOperation(
  descriptor: OperationDescriptor,
  code: OperationCode | undefined,
  parts: OperationParts,
): Operation {
  const { engine, schemas } = parts;
  const { operationId } = descriptor;
  const reads = descriptor.code?.reads === true;
  const answers = code ? answersOf(descriptor, code, parts) : unanswered;
  return {
    operationId,
    isSilent: !Object.entries(descriptor.responses).some(
      ([status, content]) => status.startsWith('2') && Object.keys(content).length > 0,
    ),
    check: createInputCheck(descriptor, schemas),
    run: (caller, inputs, translate) =>
      engine.perform({ caller, params: {}, reads }, async (context) => {
        const [answer] = await answers([inputs], context);
        if (answer === undefined || answer instanceof ApiError) throw answer;
        return translate(answer);
      }),
    runEach: (caller, inputs, translate, scope) =>
      engine.perform({ caller, params: {}, reads: true, scope }, async (context) => {
        const each = await answers(inputs, context);
        return each.map((answer) => (answer instanceof ApiError ? answer : translate(answer)));
      }),
  };
}

type Answers = (inputs: readonly Inputs[], context: OverrideContext) => Promise<readonly (CodeAnswer | ApiError)[]>;

const unanswered: Answers = async () => {
  throw notImplemented();
};

function answersOf(descriptor: OperationDescriptor, code: OperationCode, parts: OperationParts): Answers {
  const answerOf = createAnswerOf(descriptor, parts);
  const call = typeof code === 'function' ? oneByOne(code) : code.each;
  return async (inputs, context) => {
    const returned: unknown = await call(inputs, { ...context, reply });
    if (!Array.isArray(returned) || returned.length !== inputs.length)
      throw new Error(
        `${descriptor.operationId}: \`each\` must return ${inputs.length} answers, in the order of its inputs`,
      );
    return returned.map((one) => (one instanceof ApiError ? one : answerOf(one)));
  };
}

/** An error of the contract fails its own call alone. */
const oneByOne =
  (code: CodeOfOne): CodeOfEach =>
  (inputs, context) =>
    Promise.all(
      inputs.map(async (one) => {
        try {
          return await code(one, context);
        } catch (error) {
          if (error instanceof ApiError) return error;
          throw error;
        }
      }),
    );
