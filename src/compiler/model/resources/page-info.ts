import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { INT32_BOUNDS } from '../../json-schema/integer-bounds.ts';
import type { ObjectDraft, PropertyDraft } from '../draft.ts';
import { inlineObjectDraft } from './object-draft.ts';

/** The object with the cursors of a page's neighbours: `BookPage.page`. */
export function pageInfoOf(document: OpenApiDocument, page: ObjectDraft): ObjectDraft | undefined {
  const info = page.properties.get('page');
  return info && inlineObjectDraft(document, `${page.name}.page`, { allOf: info.flat.nodes as Schema[] });
}

/**
 * How far entries are counted by the `maximum` of `totalCount`; undefined where they all are. One that the type of
 * `totalCount` has in GraphQL, or a greater one, bounds nothing.
 */
export function countBoundOf(total: PropertyDraft | undefined): number | undefined {
  const maximum = total?.flat.keywords.get('maximum')?.value;
  return typeof maximum === 'number' && maximum < INT32_BOUNDS.maximum ? maximum : undefined;
}
