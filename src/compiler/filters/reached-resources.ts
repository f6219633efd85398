import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { flattenSchema } from '../json-schema/flat-schema.ts';

type Reached = ReadonlySet<ResourceDescriptor>;

/** The resources whose rows the filters of a list ask about, beside its own. */
export function reachedByFilters(
  resource: ResourceDescriptor,
  resources: ReadonlyMap<string, ResourceDescriptor>,
  document: OpenApiDocument,
): Reached {
  const reached = new Set<ResourceDescriptor>();
  const read = new Set<ResourceDescriptor>();
  const visit = (from: ResourceDescriptor): void => {
    const schema = document.components?.schemas?.[`${from.name}Filter`];
    if (schema === undefined || read.has(from)) return;
    read.add(from);
    for (const name of flattenSchema(document, schema).properties.keys()) {
      const to = resources.get(from.relations?.[name]?.resource ?? '');
      if (!to) continue;
      reached.add(to);
      visit(to);
    }
  };
  const { filter, referenceFilters = [] } = resource.list ?? {};
  for (const name of referenceFilters) {
    const to = resources.get(resource.relations?.[name]?.resource ?? '');
    if (to) reached.add(to);
  }
  if (filter !== undefined) visit(resource);
  return reached;
}
