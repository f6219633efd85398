import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

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
  const names = new Set<string>();
  const searched = new Set<string>();
  for (const { selectionSet } of fieldNodes) addFields(selectionSet, fragments, names, searched);
  return names;
}

function addFields(
  set: SelectionSetNode | undefined,
  fragments: Fragments,
  names: Set<string>,
  searched: Set<string>,
): void {
  for (const selection of set?.selections ?? []) {
    if (selection.kind === Kind.FIELD) names.add(selection.name.value);
    else if (selection.kind === Kind.INLINE_FRAGMENT) addFields(selection.selectionSet, fragments, names, searched);
    else if (!searched.has(selection.name.value)) {
      searched.add(selection.name.value);
      addFields(fragments[selection.name.value]!.selectionSet, fragments, names, searched);
    }
  }
}
