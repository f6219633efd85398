import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { typeOf } from './argument-names.ts';
import type { ResolverRuntime } from './resolver-runtime.ts';
import { selectedFields, selectedNodeFields, selectsTotalCount } from './selection.ts';

/** What is selected of one field of a document: the same object for the same selection. */
export interface Selection {
  /** The properties that are asked for of rows; undefined: any, by hand-written code. */
  readonly asked: ReadonlySet<string> | undefined;
  readonly isCounted: boolean;
}

/** So many selections of one field are kept; for others, whole rows are read. */
const MAX_SELECTIONS = 100;

/**
 * Reads what is selected of one row, or of a connection. A field that stands in a fragment may be selected with others of its name in one
 * place, and without them in another, or in another request.
 */
export function selectionReader(
  { descriptor, replaced }: ResolverRuntime,
  resource: ResourceDescriptor,
  of: 'row' | 'connection',
): (info: GraphQLResolveInfo) => Selection {
  const type = typeOf(descriptor, resource);
  const fieldsOf = of === 'row' ? selectedFields : selectedNodeFields;
  const propertiesOf = (fields: ReadonlySet<string>): ReadonlySet<string> | undefined => {
    const properties = new Set<string>();
    for (const name of fields) {
      const field = descriptor.fields[`${type}.${name}`];
      if (field?.kind === 'custom' && field.isOperation && !replaced.has(`${type}.${name}`)) {
        for (const property of ['id', ...Object.values(field.parent ?? {})]) properties.add(property);
        continue;
      }
      if (field?.kind === 'custom' || replaced.has(`${type}.${name}`)) return undefined;
      if (field?.kind === 'connection') continue;
      properties.add(field && 'property' in field ? field.property : name);
    }
    return properties;
  };
  const known = new WeakMap<GraphQLResolveInfo['fieldNodes'], Selection>();
  const shared = new WeakMap<FieldNode, Map<string, Selection>>();
  const selectionIn = (info: GraphQLResolveInfo): Selection => {
    const [node] = info.fieldNodes;
    const ofNode = shared.get(node!) ?? new Map<string, Selection>();
    shared.set(node!, ofNode);
    const isCounted = of === 'connection' && selectsTotalCount(info);
    const asked = ofNode.size < MAX_SELECTIONS ? propertiesOf(fieldsOf(info)) : undefined;
    const key = `${isCounted} ${asked ? [...asked].sort().join() : '*'}`;
    const selection = ofNode.get(key) ?? { asked, isCounted };
    ofNode.set(key, selection);
    return selection;
  };
  return (info) => {
    const selection = known.get(info.fieldNodes) ?? selectionIn(info);
    known.set(info.fieldNodes, selection);
    return selection;
  };
}
