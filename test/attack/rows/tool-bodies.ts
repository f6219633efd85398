import { unknownKeys } from '../support/json-forms.ts';

/** A call of a tool whose arguments are that JSON. */
export const calling = (name: string, args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;

const list = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join()}]`;

/** Arguments within the limit of values that are wrong in as many ways as possible. */
export const WRONG_ARGUMENTS: Readonly<Record<string, string>> = {
  '9,000 unknown arguments': `{${unknownKeys(9_000)}}`,
  '9,000 unknown properties to show': `{"fields":${list(9_000, '"x"')}}`,
  '9,000 wrong values in an array': `{"sort":${list(9_000, '1')}}`,
  '9,000 wrong operators': `{"price":{${unknownKeys(9_000)}}}`,
};
