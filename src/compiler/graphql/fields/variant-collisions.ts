import type { Finding } from '../../findings/finding.ts';
import { isReference, nodeAt, schemaNameOf } from '../../json-schema/references.ts';
import type { ContractDraft } from '../../model/draft.ts';
import { flatNamed } from '../../model/schemas.ts';
import { collisionsIn, type Named } from '../names/name-collisions.ts';
import { discriminated } from './discriminated.ts';
import { variantName } from './names.ts';

/** Values of a discriminator that would be the same field of a `@oneOf` input, with both places. */
export const variantCollisions = (draft: ContractDraft): readonly Finding[] =>
  [...sentSchemas(draft)].flatMap((name) =>
    collisionsIn(draft, { what: `variants of \`${name}\``, names: variantsOf(draft, name), spell: variantName }),
  );

/** The values that tell the variants of a schema apart, each where its variant says it. */
function variantsOf({ document }: ContractDraft, name: string): readonly Named[] {
  const { property, schemas } = discriminated(document, name) ?? { property: '', schemas: {} };
  return Object.entries(schemas).flatMap(([value, variant]) => {
    const { properties } = flatNamed(document, variant);
    const holder = properties.get(property)?.holder;
    return holder ? [{ name: value, node: holder, key: property }] : [];
  });
}

/** The names of the schemas that callers send values of. */
function sentSchemas({ document, operations }: ContractDraft): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isReference(value)) {
      const name = schemaNameOf(value);
      if (name !== undefined && names.has(name)) return;
      if (name !== undefined) names.add(name);
      visit(nodeAt(document, value.$ref));
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  for (const { node } of operations) visit(node.requestBody);
  return names;
}
