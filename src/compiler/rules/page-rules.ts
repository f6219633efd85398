import { type ConventionNames, conventionNames } from '../../descriptor/convention-names.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { Place } from '../findings/finding.ts';
import type { FlatSchema } from '../json-schema/flat-schema.ts';
import { valueTypes } from '../json-schema/property-type.ts';
import { schemaNameOf } from '../json-schema/references.ts';
import type { ObjectDraft } from '../model/draft.ts';
import { pagingParameter } from '../model/resources/list-parameters.ts';
import { pageInfoOf } from '../model/resources/object-draft.ts';
import { countFaults } from './count-rules.ts';
import { atOperation, atProperty, atPropertyKeyword } from './place.ts';
import { type Fault, rule } from './rule.ts';
import { theLists } from './subjects.ts';

export const pageRules = [
  rule({
    id: 'page-shape',
    summary: 'A list returns `{ data, page: { nextCursor, previousCursor?, totalCount?, totalCountIsExact? } }`.',
    advice:
      'Clients then page through every list in the same way. `totalCountIsExact` reports whether a bounded count is complete.',
    each: theLists,
    *check({ resource: { name, page, nameCase }, list }, { document }) {
      const words = conventionNames(nameCase);
      if (!page) {
        yield {
          message: `\`${list.operationId}\` needs the object schema \`${name}Page\`, which the contract does not have.`,
          hint: `Add \`${name}Page\` to \`components.schemas\`: \`data\`, an array of \`${name}\`, and \`page\` with \`${words.nextCursor}\`.`,
          ...atOperation(list, 'responses'),
        };
        return;
      }
      yield* dataFaults(page, name);
      yield* pageFaults(document, page, pagingParameter(list, 'count') !== undefined, words);
    },
  }),
];

function* dataFaults(page: ObjectDraft, name: string): Iterable<Fault> {
  const data = page.properties.get('data');
  const items = data?.flat.keywords.get('items')?.value;
  if (data !== undefined && valueTypes(data.flat).join() === 'array' && schemaNameOf(items) === name && data.required)
    return;
  yield {
    message: `\`${page.name}.data\` must be a required array of \`${name}\`.`,
    hint: `Write \`data: { type: array, items: { $ref: '#/components/schemas/${name}' } }\` and list \`data\` in \`required\`.`,
    ...(data === undefined ? { node: page.node, key: 'properties' } : atProperty(data)),
  };
}

function* pageFaults(
  document: OpenApiDocument,
  page: ObjectDraft,
  counts: boolean,
  words: ConventionNames,
): Iterable<Fault> {
  const info = page.properties.get('page');
  const inner = pageInfoOf(document, page);
  if (info === undefined || inner === undefined || !info.required) {
    yield {
      message: `\`${page.name}.page\` must be a required object with the cursor of the next page.`,
      hint: `Write \`page: { type: object, required: [${words.nextCursor}], properties: { ${words.nextCursor}: { type: [string, 'null'] } } }\` and list \`page\` in \`required\`.`,
      ...(info === undefined ? { node: page.node, key: 'properties' } : atProperty(info)),
    };
    return;
  }
  yield* cursorFaults(inner, words.nextCursor, 'last', atProperty(info));
  yield* cursorFaults(inner, words.previousCursor, 'first');
  yield* countFaults(inner, info, counts, words);
  yield* extraFaults(page, ['data', 'page']);
  yield* extraFaults(inner, [words.nextCursor, words.previousCursor, words.totalCount, words.totalCountIsExact]);
}

/** What is wrong with a cursor, of the next page or the previous one; `missing`: where it should be, if it must be there. */
function* cursorFaults(inner: ObjectDraft, name: string, last: string, missing?: Place): Iterable<Fault> {
  const cursor = inner.properties.get(name);
  const place = cursor ? atPropertyKeyword(cursor, 'type') : missing;
  const isSound = cursor?.required && cursor.flat.nullable && isType(cursor.flat, 'string');
  if (place && !isSound)
    yield {
      message: `\`${inner.name}.${name}\` must be a required string or null; it is null on the ${last} page.`,
      hint: `Write \`${name}: { type: [string, 'null'] }\` and list it in \`required\`.`,
      ...place,
    };
}

function* extraFaults(schema: ObjectDraft, known: readonly string[]): Iterable<Fault> {
  for (const property of schema.properties.values()) {
    if (known.includes(property.name)) continue;
    yield {
      message: `\`${schema.name}.${property.name}\` is not part of a page; the server would not set it.`,
      hint: `Remove it; only \`${known.join('` and `')}\` are allowed.`,
      ...atProperty(property),
    };
  }
}

function isType(schema: FlatSchema, type: string): boolean {
  return valueTypes(schema).join() === type;
}
