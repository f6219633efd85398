import type { OpenApiDocument } from '../../descriptor/document.ts';
import { resolveReference } from './references.ts';

/** The names of all schemas that the nodes refer to, directly or indirectly; of another kind of components, or of any, by a pattern. */
export function namesReached(
  document: OpenApiDocument,
  nodes: readonly unknown[],
  kind = /^#\/components\/schemas\/(.+)$/,
): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as { readonly $ref?: unknown };
    if (typeof $ref === 'string') {
      const name = kind.exec($ref)?.[1];
      if (name !== undefined && names.has(name)) return;
      if (name !== undefined) names.add(name);
      visit(resolveReference(document, { $ref }));
      return;
    }
    for (const [key, value] of Object.entries(node)) if (key !== 'examples' && key !== 'example') visit(value);
  };
  for (const node of nodes) visit(node);
  return names;
}
