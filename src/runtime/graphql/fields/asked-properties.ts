import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { typeOf } from './argument-names.ts';
import type { ResolverRuntime } from './resolver-runtime.ts';
import { selectedNodeFields } from './selection.ts';

/** The properties that a document asks for of the rows of a connection; undefined: any, by hand-written code. */
export type AskedProperties = (info: GraphQLResolveInfo) => ReadonlySet<string> | undefined;

export function askedProperties(
  { descriptor, replaced }: ResolverRuntime,
  resource: ResourceDescriptor,
): AskedProperties {
  const type = typeOf(descriptor, resource);
  const known = new WeakMap<FieldNode, ReadonlySet<string> | undefined>();
  const propertiesOf = (fields: ReadonlySet<string>): ReadonlySet<string> | undefined => {
    const properties = new Set<string>();
    for (const name of fields) {
      const field = descriptor.fields[`${type}.${name}`];
      if (field?.kind === 'custom' || replaced.has(`${type}.${name}`)) return undefined;
      if (field?.kind === 'connection') continue;
      properties.add(field && 'property' in field ? field.property : name);
    }
    return properties;
  };
  return (info) => {
    const node = info.fieldNodes[0]!;
    if (!known.has(node)) known.set(node, propertiesOf(selectedNodeFields(info)));
    return known.get(node);
  };
}
