/** A path of the document as requests name it: clients never send the part after `#` (RFC 9110, 4.2.5). */
export const sentPath = (path: string): string => path.replace(/#.*$/s, '');

/** The same for all paths that are one to requests: names of parameters are not sent either. */
export const sentShape = (path: string): string => sentPath(path).replaceAll(/\{[^{}]+\}/g, '{}');

/** The names of the parameters of a path template, in their order. */
export function pathParameters(path: string): readonly string[] {
  return (path.match(/\{[^{}]+\}/g) ?? []).map((parameter) => parameter.slice(1, -1));
}
