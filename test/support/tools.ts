import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { operationWithId } from '../../src/descriptor/rest.ts';
import type { TestReply } from '../../src/proving/testing/test-caller.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Json = any;
/** A body that a call is answered with. */
export type Answered = Json;
type Reply = TestReply<Json>;

/** The result of a tool, as its caller reads it. */
export interface Called {
  readonly status: number;
  /** The text as JSON; undefined: the answer has no content. */
  readonly value: Json;
  readonly isError: boolean;
}

/** A call of a tool as a message. */
export const callOf = (name: string, args: object = {}): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

/** What a reply says, if it is the result of a call. */
export function called({ status, body }: Reply): Called {
  const { content, isError = false } = body.result;
  const text: string | undefined = content[0]?.text;
  return { status, value: text === undefined ? undefined : JSON.parse(text), isError };
}

/** The code of a refusal, whether it is that of the tool or of HTTP; `OK` for anything else. */
export function codeOfCall(reply: Pick<Reply, 'status' | 'body'>): string {
  const { result, code } = reply.body;
  if (!result) return code;
  return result.isError === true ? JSON.parse(result.content[0].text).code : 'OK';
}

/** The path parameters of an operation as a path below the base path has them; undefined: it is not offered. */
export function argumentsIn(
  { contract: { rest, tools } }: { readonly contract: Pick<CompiledContract, 'rest' | 'tools'> },
  operationId: string,
  path: string,
): object | undefined {
  if (!tools?.tools.some((tool) => tool.operationId === operationId)) return undefined;
  const values = path.split('/');
  const names = operationWithId(rest.operations, operationId).path.split('/');
  return Object.fromEntries(
    names.flatMap((name, i) => (name.startsWith('{') ? [[name.slice(1, -1), values[i]!]] : [])),
  );
}
