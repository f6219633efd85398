import { type GraphQLResolveInfo, Kind, type SelectionNode, type SelectionSetNode } from 'graphql';

const TOTAL_COUNT = 'totalCount';

type Fragments = GraphQLResolveInfo['fragments'];

/**
 * Whether a connection's `totalCount` is selected; `@skip` and `@include` are not evaluated. Each fragment is searched
 * once: a chain of fragments that spread each other twice would take exponential time.
 */
export function selectsTotalCount({ fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  const searched = new Set<string>();
  return fieldNodes.some(({ selectionSet }) => contains(selectionSet, fragments, searched));
}

function contains(set: SelectionSetNode | undefined, fragments: Fragments, searched: Set<string>): boolean {
  return set?.selections.some((selection) => isTotalCount(selection, fragments, searched)) ?? false;
}

function isTotalCount(selection: SelectionNode, fragments: Fragments, searched: Set<string>): boolean {
  switch (selection.kind) {
    case Kind.FIELD:
      return selection.name.value === TOTAL_COUNT;
    case Kind.INLINE_FRAGMENT:
      return contains(selection.selectionSet, fragments, searched);
    case Kind.FRAGMENT_SPREAD: {
      const name = selection.name.value;
      if (searched.has(name)) return false;
      searched.add(name);
      return contains(fragments[name]!.selectionSet, fragments, searched);
    }
  }
}
