import { usesExtensions } from '../extensions/uses-extensions.ts';
import type { ContractDraft, ResourceDraft } from '../model/draft.ts';

/**
 * What has the managed properties by chance, in a document that another tool has written: its list answers something else than a
 * page with `data` and `page`. Whoever uses extensions, or has an SDL, means the conventions.
 */
export function foreignResources({ source, document, resources }: ContractDraft): readonly ResourceDraft[] {
  if (source.sdl || usesExtensions(document)) return [];
  return resources.filter(({ operations, page, name }) => {
    if (!operations.list) return false;
    const hasOwnName = document.components?.schemas?.[`${name}Input`] !== undefined;
    return !hasOwnName && !page?.properties.has('data') && !page?.properties.has('page');
  });
}
