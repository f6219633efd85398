/** The name of the body among the inputs of an operation. */
export const BODY_INPUT = 'input';

/** Header parameters that OpenAPI 3.1, 4.8.12.1, says to ignore: other parts of the contract define them. */
const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

/** The name of a parameter among the inputs of an operation, a header field in lower case; undefined for an ignored one. */
export function inputName({ in: place, name }: { readonly in: string; readonly name: string }): string | undefined {
  if (place !== 'header') return name;
  const field = name.toLowerCase();
  return IGNORED_HEADERS.has(field) ? undefined : field;
}

/** Whether a status is among the successes of all that are declared: one of 2xx, or the default if no other is. */
export const isSuccess = (status: string, declared: readonly string[]): boolean =>
  /^2(?:\d\d|XX)$/.test(status) || (status === 'default' && !declared.some((one) => /^[23](?:\d\d|XX)$/.test(one)));

/** The successes among the responses of an operation: answers say their status where there are several. */
export function successesOf(responses: Readonly<Record<string, unknown>>): readonly string[] {
  const declared = Object.keys(responses);
  return declared.filter((status) => isSuccess(status, declared));
}
