import { type ConventionNames, conventionNames } from '../../descriptor/convention-names.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { FlatSchema } from '../json-schema/flat-schema.ts';
import { valueTypes } from '../json-schema/property-type.ts';
import { schemaNameOf } from '../json-schema/references.ts';
import type { ObjectDraft, PropertyDraft } from '../model/draft.ts';
import { pageInfoOf } from '../model/resources/page-info.ts';
import { countFaults } from './count-rules.ts';
import { atOperation, atProperty, atPropertyKeyword } from './place.ts';
import type { Check, Fault } from './rule.ts';

/** A list returns `{ data: [Resource], page: { nextCursor, previousCursor?, totalCount?, totalCountIsExact? } }`. */
export const pageShape: Check = function* ({ document, resources }) {
  for (const { name, page, operations, nameCase } of resources) {
    const words = conventionNames(nameCase);
    if (operations.list === undefined) continue;
    if (page === undefined) {
      yield {
        severity: 'error',
        message: `\`${operations.list.operationId}\` needs the object schema \`${name}Page\`, which the contract does not have.`,
        hint: `Add \`${name}Page\` to \`components.schemas\`: \`data\`, an array of \`${name}\`, and \`page\` with \`${words.nextCursor}\`.`,
        ...atOperation(operations.list, 'responses'),
      };
      continue;
    }
    yield* dataFaults(page, name);
    yield* pageFaults(
      document,
      page,
      operations.list.parameters.some((one) => one.name === 'count'),
      words,
    );
  }
};

function* dataFaults(page: ObjectDraft, name: string): Iterable<Fault> {
  const data = page.properties.get('data');
  const items = data?.flat.keywords.get('items')?.value;
  if (data !== undefined && valueTypes(data.flat).join() === 'array' && schemaNameOf(items) === name && data.required)
    return;
  yield {
    severity: 'error',
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
      severity: 'error',
      message: `\`${page.name}.page\` must be a required object with the cursor of the next page.`,
      hint: `Write \`page: { type: object, required: [${words.nextCursor}], properties: { ${words.nextCursor}: { type: [string, 'null'] } } }\` and list \`page\` in \`required\`.`,
      ...(info === undefined ? { node: page.node, key: 'properties' } : atProperty(info)),
    };
    return;
  }
  yield* cursorFaults(inner, info, words);
  yield* previousFaults(inner, words);
  yield* countFaults(inner, info, counts, words);
  yield* extraFaults(page, ['data', 'page']);
  yield* extraFaults(inner, [words.nextCursor, words.previousCursor, words.totalCount, words.totalCountIsExact]);
}

function* cursorFaults(inner: ObjectDraft, info: PropertyDraft, { nextCursor }: ConventionNames): Iterable<Fault> {
  const cursor = inner.properties.get(nextCursor);
  if (cursor !== undefined && isType(cursor.flat, 'string') && cursor.flat.nullable && cursor.required) return;
  yield {
    severity: 'error',
    message: `\`${inner.name}.${nextCursor}\` must be a required string or null; it is null on the last page.`,
    hint: `Write \`${nextCursor}: { type: [string, 'null'] }\` and list it in \`required\`.`,
    ...(cursor === undefined ? atProperty(info) : atPropertyKeyword(cursor, 'type')),
  };
}

function* previousFaults(inner: ObjectDraft, { previousCursor }: ConventionNames): Iterable<Fault> {
  const cursor = inner.properties.get(previousCursor);
  if (cursor === undefined || (isType(cursor.flat, 'string') && cursor.flat.nullable && cursor.required)) return;
  yield {
    severity: 'error',
    message: `\`${inner.name}.${previousCursor}\` must be a required string or null; it is null on the first page.`,
    hint: `Write \`${previousCursor}: { type: [string, 'null'] }\` and list it in \`required\`.`,
    ...atPropertyKeyword(cursor, 'type'),
  };
}

function* extraFaults(schema: ObjectDraft, known: readonly string[]): Iterable<Fault> {
  for (const property of schema.properties.values()) {
    if (known.includes(property.name)) continue;
    yield {
      severity: 'error',
      message: `\`${schema.name}.${property.name}\` is not part of a page; the server would not set it.`,
      hint: `Remove it; only \`${known.join('` and `')}\` are allowed.`,
      ...atProperty(property),
    };
  }
}

function isType(schema: FlatSchema, type: string): boolean {
  return valueTypes(schema).join() === type;
}
