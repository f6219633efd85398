import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { OperationDraft } from '../draft.ts';
import { flatSchema, schemaNamed } from '../schemas.ts';

/** What the filters of a list ask about. */
interface Asked {
  /** The resources whose rows they ask about, beside those of the list. */
  readonly resources: ReadonlySet<ResourceDescriptor>;
  /** The properties, of whichever resource, that filters with conditions compare, or follow to other rows. */
  readonly properties: ReadonlySet<PropertyDescriptor>;
}

export function askedByFilters(
  { parameters }: Pick<OperationDraft, 'parameters'>,
  resource: ResourceDescriptor,
  resources: ReadonlyMap<string, ResourceDescriptor>,
  document: OpenApiDocument,
): Asked {
  const asked = { resources: new Set<ResourceDescriptor>(), properties: new Set<PropertyDescriptor>() };
  const read = new Set<ResourceDescriptor>();
  const compare = (of: ResourceDescriptor, name: string): void => {
    const property = of.properties.find((one) => one.name === name);
    if (property) asked.properties.add(property);
  };
  const follow = (from: ResourceDescriptor, name: string): ResourceDescriptor | undefined => {
    const relation = from.relations?.[name];
    const to = relation && resources.get(relation.resource);
    if (!to) return undefined;
    asked.resources.add(to);
    compare(relation.kind === 'one' ? from : to, relation.property);
    return to;
  };
  const visit = (from: ResourceDescriptor): void => {
    const schema = schemaNamed(document, `${from.name}Filter`);
    if (schema === undefined || read.has(from)) return;
    read.add(from);
    for (const name of flatSchema(document, schema).properties.keys()) {
      compare(from, name);
      const to = follow(from, name);
      if (to) visit(to);
    }
  };
  const { filter, referenceFilters = [] } = resource.list ?? {};
  for (const name of referenceFilters) {
    const to = follow(resource, name);
    const schema = parameters.find((one) => one.name === name)?.schema;
    if (to && schema !== undefined) for (const own of flatSchema(document, schema).properties.keys()) compare(to, own);
  }
  if (filter !== undefined) visit(resource);
  return asked;
}
