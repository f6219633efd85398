import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionNode, type SelectionSetNode } from 'graphql';

const TOTAL_COUNT = 'totalCount';
const known = new WeakMap<FieldNode, boolean>();

/** Whether a connection is asked for its `totalCount`; directives are taken to include what they may. */
export function selectsTotalCount({ fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  const [first] = fieldNodes;
  const found = known.get(first!);
  if (found !== undefined) return found;
  const selects = fieldNodes.some(({ selectionSet }) => selectionSet && contains(selectionSet, fragments));
  known.set(first!, selects);
  return selects;
}

function contains({ selections }: SelectionSetNode, fragments: GraphQLResolveInfo['fragments']): boolean {
  return selections.some((selection) => isTotalCount(selection, fragments));
}

function isTotalCount(selection: SelectionNode, fragments: GraphQLResolveInfo['fragments']): boolean {
  switch (selection.kind) {
    case Kind.FIELD:
      return selection.name.value === TOTAL_COUNT;
    case Kind.INLINE_FRAGMENT:
      return contains(selection.selectionSet, fragments);
    case Kind.FRAGMENT_SPREAD:
      return contains(fragments[selection.name.value]!.selectionSet, fragments);
  }
}
