import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import type { ObjectDraft } from '../model/draft.ts';
import { inlineObjectDraft } from './object-draft.ts';

/** The object with the cursors of a page's neighbours: `BookPage.page`. */
export function pageInfoOf(document: OpenApiDocument, page: ObjectDraft): ObjectDraft | undefined {
  const info = page.properties.get('page');
  return info && inlineObjectDraft(document, `${page.name}.page`, { allOf: info.flat.nodes as Schema[] });
}
