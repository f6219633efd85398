import type { ConventionNames } from '../../descriptor/convention-names.ts';
import { valueTypes } from '../json-schema/property-type.ts';
import type { ObjectDraft, PropertyDraft } from '../model/draft.ts';
import { countBoundOf } from '../model/resources/object-draft.ts';
import { atProperty, atPropertyKeyword } from './place.ts';
import type { Fault } from './rule.ts';

/** What is wrong with the count in `inner`, the object `info` of a page. */
export function* countFaults(
  inner: ObjectDraft,
  info: PropertyDraft,
  counts: boolean,
  words: ConventionNames,
): Iterable<Fault> {
  const { totalCount } = words;
  const total = inner.properties.get(totalCount);
  yield* exactFaults(inner, total, words);
  if (total === undefined && !counts) return;
  if (total !== undefined && isOptional(total, 'integer')) return;
  yield {
    message: `\`${inner.name}.${totalCount}\` must be an optional integer; it is present when the request has \`count=true\`.`,
    hint: `Write \`${totalCount}: { type: integer, minimum: 0 }\` and do not list it in \`required\`.`,
    ...(total === undefined ? atProperty(info) : atProperty(total)),
  };
}

/** A count that may be cut off says whether it was; one that is never cut off does not. */
function* exactFaults(
  inner: ObjectDraft,
  total: PropertyDraft | undefined,
  { totalCount, totalCountIsExact }: ConventionNames,
): Iterable<Fault> {
  const bound = countBoundOf(total);
  const exact = inner.properties.get(totalCountIsExact);
  const name = `\`${inner.name}.${totalCount}\``;
  if (total !== undefined && bound !== undefined && !(Number.isInteger(bound) && bound > 0))
    yield {
      message: `${name} is counted up to ${bound}, which is not a number of entries.`,
      hint: 'Write a `maximum` of 1 or more, such as 10000. To count all entries, remove it.',
      ...atPropertyKeyword(total, 'maximum'),
    };
  if (total !== undefined && bound !== undefined && exact === undefined)
    yield {
      message: `${name} is counted up to ${bound} only, and clients cannot see whether more exist.`,
      hint: `Add \`${totalCountIsExact}: { type: boolean }\` next to it. To count all entries, remove \`maximum\`.`,
      ...atPropertyKeyword(total, 'maximum'),
    };
  if (exact === undefined || (bound !== undefined && isOptional(exact, 'boolean'))) return;
  yield {
    message:
      bound === undefined
        ? `\`${inner.name}.${totalCountIsExact}\` would always be true: nothing bounds how far entries are counted.`
        : `\`${inner.name}.${totalCountIsExact}\` must be an optional boolean; it is present when \`${totalCount}\` is.`,
    hint:
      bound === undefined
        ? `Give \`${totalCount}\` a \`maximum\`, such as 10000, or remove \`${totalCountIsExact}\`.`
        : `Write \`${totalCountIsExact}: { type: boolean }\` and do not list it in \`required\`.`,
    ...atProperty(exact),
  };
}

const isOptional = ({ flat, required }: PropertyDraft, type: string): boolean =>
  valueTypes(flat).join() === type && !flat.nullable && !required;
