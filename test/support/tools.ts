import type { Reply } from './service.ts';
import type { Json } from './storefront.ts';

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
