import type { RelationDescriptor } from '../../../descriptor/resource.ts';
import { type Reference, relationsOf } from '../access/relations.ts';
import type { ResourceDraft } from '../draft.ts';

/** What filters may go to from the rows of a resource. `all`: the references of the contract. */
export function describeRelations(
  resource: ResourceDraft,
  all: readonly Reference[],
): Readonly<Record<string, RelationDescriptor>> {
  const { references, inverses } = relationsOf(resource, all);
  const relations: Record<string, RelationDescriptor> = {};
  for (const [name, { property, target }] of references)
    relations[name] = { kind: 'one', resource: target.key, property: property.name };
  for (const [name, { property, from }] of inverses)
    relations[name] = { kind: 'many', resource: from.key, property: property.name };
  return relations;
}
