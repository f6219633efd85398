import { resolveReference, schemaNameOf, schemaReference } from '../../json-schema/references.ts';
import { isNode, type Node } from '../../read/grammar.ts';

/** Says in the discriminator of a union which value stands for which schema; without that, generators take the schema's name. */
export function mapVariants(document: Node, { discriminator, oneOf, anyOf }: Node): void {
  if (!isNode(discriminator) || isNode(discriminator['mapping'])) return;
  const property = String(discriminator['propertyName']);
  const variants = (oneOf ?? anyOf ?? []) as Node[];
  const mapping = variants.flatMap((variant) => {
    const name = schemaNameOf(variant);
    const values = name === undefined ? [] : valuesOf(document, variant, property);
    return values.map((value) => [value, schemaReference(name!).$ref]);
  });
  if (mapping.length > 0) discriminator['mapping'] = Object.fromEntries(mapping);
}

/** What a property of a variant may be. */
function valuesOf(document: Node, variant: Node, property: string): unknown[] {
  const properties = resolveReference<Node>(document, variant)?.['properties'];
  const schema = isNode(properties) ? resolveReference<Node>(document, properties[property] as Node) : undefined;
  if (schema === undefined) return [];
  return 'const' in schema ? [schema['const']] : ((schema['enum'] as unknown[] | undefined) ?? []);
}
