import type { ContractDraft, ResourceDraft } from '../draft.ts';
import { usesExtensions } from '../extensions/uses-extensions.ts';
import { namedSchemas } from '../schemas.ts';

/**
 * What has the managed properties by chance, in a document that another tool has written: its list answers something else than a
 * page with `data` and `page`. Whoever uses extensions, or has an SDL, means the conventions.
 */
export function foreignResources(draft: ContractDraft): readonly ResourceDraft[] {
  const { source, document, resources } = draft;
  if (source.sdl || usesExtensions(draft)) return [];
  return resources.filter(({ operations, page, name }) => {
    if (!operations.list) return false;
    const hasOwnName = namedSchemas(document)[`${name}Input`] !== undefined;
    return !hasOwnName && !page?.properties.has('data') && !page?.properties.has('page');
  });
}
