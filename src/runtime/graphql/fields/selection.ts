import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

type Fragments = GraphQLResolveInfo['fragments'];

/** Whether the count of a connection is selected, or what says how to read it. */
export function selectsTotalCount(info: GraphQLResolveInfo): boolean {
  const selected = selectedFields(info);
  return selected.has('totalCount') || selected.has('totalCountIsExact');
}

/**
 * Names of the fields that are selected directly below a field, whatever their aliases; `@skip` and `@include` are not
 * evaluated. Each fragment is searched once: a chain of fragments that spread each other twice would take exponential
 * time.
 */
export function selectedFields({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  return namesOf(fieldsBelow(fieldNodes, fragments));
}

/** The same of the rows of a connection: what is selected below its `nodes`, and the `node` of its `edges`. */
export function selectedNodeFields({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  const named = (fields: readonly FieldNode[], name: string) => fields.filter((field) => field.name.value === name);
  const direct = fieldsBelow(fieldNodes, fragments);
  const edges = fieldsBelow(named(direct, 'edges'), fragments);
  return namesOf(fieldsBelow([...named(direct, 'nodes'), ...named(edges, 'node')], fragments));
}

const namesOf = (fields: readonly FieldNode[]): ReadonlySet<string> => new Set(fields.map(({ name }) => name.value));

function fieldsBelow(fields: readonly FieldNode[], fragments: Fragments): readonly FieldNode[] {
  const found: FieldNode[] = [];
  const searched = new Set<string>();
  for (const { selectionSet } of fields) addFields(selectionSet, fragments, found, searched);
  return found;
}

function addFields(
  set: SelectionSetNode | undefined,
  fragments: Fragments,
  found: FieldNode[],
  searched: Set<string>,
): void {
  for (const selection of set?.selections ?? []) {
    if (selection.kind === Kind.FIELD) found.push(selection);
    else if (selection.kind === Kind.INLINE_FRAGMENT) addFields(selection.selectionSet, fragments, found, searched);
    else if (!searched.has(selection.name.value)) {
      searched.add(selection.name.value);
      addFields(fragments[selection.name.value]!.selectionSet, fragments, found, searched);
    }
  }
}
