import { isJson } from '../../descriptor/content.ts';
import { once } from '../../descriptor/once.ts';
import { isSuccess } from '../../descriptor/operation-inputs.ts';
import { type ContentDescriptor, declaredFor, type OperationDescriptor } from '../../descriptor/rest.ts';
import type { Picker, Pickers } from '../schema/pick.ts';
import type { SchemaRegistry } from '../schema/schema-registry.ts';

/** What an operation answers, for every protocol. */
export interface CodeAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** Undefined: the success has no content. */
  readonly body?: unknown;
}

/** The reply of code that has chosen its status. */
class Reply {
  readonly answer: CodeAnswer;

  constructor(answer: CodeAnswer) {
    this.answer = answer;
  }
}

/** `reply` of an operation's context. */
export const reply = (answer: CodeAnswer): Reply => new Reply(answer);

/** Makes the answer of what code has returned. Throws if the contract does not allow it. */
export type AnswerOf = (returned: unknown) => CodeAnswer;

/** What answers are checked by; without a `check`, their bodies are not. */
export interface AnswerSchemas {
  readonly pickers: Pickers;
  readonly schemas: SchemaRegistry;
  readonly check: boolean;
}

export function createAnswerOf({ operationId, responses }: OperationDescriptor, sources: AnswerSchemas): AnswerOf {
  const statuses = Object.keys(responses);
  const bodies = Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => isSuccess(status, statuses))
      .map(([status, content]) => [status, successBody(content, sources)]),
  );
  const successes = Object.keys(bodies);
  const [only] = successes.length === 1 ? successes.filter((status) => /^\d+$/.test(status)) : [];
  const fault = (how: string): Error => new Error(`${operationId} ${how}`);
  const checked = (answer: CodeAnswer): CodeAnswer => {
    const { status, body } = answer;
    const success = responses[status] === undefined || bodies[status] ? declaredFor(bodies, status) : undefined;
    if (!success) throw fault(`answered ${status}, which is not among its successes: ${successes.join(', ')}`);
    const wrong = success.fault(body);
    if (wrong !== undefined) throw fault(`deviates from its contract: the body of ${status} ${wrong}`);
    return answer;
  };
  return (returned) => {
    if (returned instanceof Reply) return checked(returned.answer);
    const success = only === undefined ? undefined : bodies[only];
    if (!success)
      throw fault(`must answer \`reply({ status, body })\`, with one of its successes: ${successes.join(', ')}`);
    if (isOldShape(returned) && !success.hasStatus(returned))
      throw fault(
        `answered { status, body }. Return the body alone: \`${success.isEmpty ? 'return' : 'return body'};\``,
      );
    return checked({ status: Number(only), ...(!success.isEmpty && { body: returned }) });
  };
}

/** The body of a success. */
interface SuccessBody {
  readonly isEmpty: boolean;
  /** Says what is wrong with a value; undefined if nothing is. */
  fault(body: unknown): string | undefined;
  /** Whether the schema has a property `status`. */
  hasStatus(body: object): boolean;
}

function successBody(content: ContentDescriptor, { pickers, schemas, check }: AnswerSchemas): SuccessBody {
  const [media] = Object.entries(content);
  if (!media)
    return {
      isEmpty: true,
      fault: (body) => (body === undefined ? undefined : 'has no content in the contract'),
      hasStatus: () => false,
    };
  const [type, { schema = true }] = media;
  const pick: Picker = (value) => pickers.of(schema)(value);
  const validate = check && isJson(type) ? once(() => schemas.output(schema)) : undefined;
  return {
    isEmpty: false,
    fault: (body) => {
      if (body === undefined) return 'is missing';
      const errors = validate?.()(JSON.parse(JSON.stringify(pick(body))));
      return errors && `is not as declared: ${JSON.stringify(errors)}`;
    },
    hasStatus: (body) => Object.hasOwn(Object(pick(body)), 'status'),
  };
}

const OLD_MEMBERS = new Set(['status', 'headers', 'contentType', 'body']);

/** Whether code answers as REST once asked for. */
const isOldShape = (value: unknown): value is { readonly status: number } =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { readonly status?: unknown }).status === 'number' &&
  Object.keys(value).every((name) => OLD_MEMBERS.has(name));
