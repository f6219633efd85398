import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Location } from '../compiler/findings/index.ts';
import type { SourceMap } from '../compiler/read/index.ts';
import { pointerTokens } from '../descriptor/json-pointer.ts';

/** What is wrong with the shape of a file that an author has written beside the contract; undefined if nothing is. */
export function shapeFault(
  validate: ValidateFunction,
  value: unknown,
  file: string,
  map: SourceMap,
): { readonly message: string; readonly location: Location } | undefined {
  if (validate(value)) return undefined;
  const [deepest] = (validate.errors ?? []).toSorted((a, b) => b.instancePath.length - a.instancePath.length);
  const { instancePath = '', message, params } = deepest ?? {};
  const extra = (params as { additionalProperty?: string } | undefined)?.additionalProperty;
  const words = extra === undefined ? `${message}` : `must not have \`${extra}\``;
  return {
    message: `\`${instancePath === '' ? file : instancePath}\` ${words}.`,
    location: placeOf(value, instancePath, map),
  };
}

/** The place of a pointer, or of what is nearest above it. */
function placeOf(value: unknown, pointer: string, map: SourceMap): Location {
  let node: unknown = value;
  let place = typeof value === 'object' && value !== null ? map.locate(value) : map.locate({});
  for (const token of pointerTokens(pointer)) {
    if (typeof node !== 'object' || node === null) break;
    place = map.locate(node, token);
    node = (node as Readonly<Record<string, unknown>>)[token];
  }
  return place;
}
