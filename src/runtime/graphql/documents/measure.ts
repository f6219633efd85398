import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode, visit } from 'graphql';

/** The size of a document, independent of its schema. */
export interface Measures {
  readonly aliases: number;
  readonly directives: number;
  /** Levels of fields of the deepest operation, without those of introspection. */
  readonly depth: number;
}

export function measure(document: DocumentNode): Measures {
  let aliases = 0;
  let directives = 0;
  visit(document, {
    Field: ({ alias }) => {
      if (alias) aliases += 1;
    },
    Directive: () => {
      directives += 1;
    },
  });
  return { aliases, directives, depth: depthOf(document) };
}

function depthOf({ definitions }: DocumentNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  // A fragment that contains itself has no depth: validation will reject the cycle.
  const depths = new Map<string, number>();
  const depthOfFragment = (name: string): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    depths.set(name, 0);
    const fragment = fragments.get(name);
    const depth = fragment ? depthOfSelections(fragment.selectionSet) : 0;
    depths.set(name, depth);
    return depth;
  };
  const depthOfSelections = ({ selections }: SelectionSetNode): number => {
    let deepest = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) deepest = Math.max(deepest, depthOfFragment(selection.name.value));
      else if (selection.kind === Kind.INLINE_FRAGMENT)
        deepest = Math.max(deepest, depthOfSelections(selection.selectionSet));
      else if (!selection.name.value.startsWith('__'))
        deepest = Math.max(deepest, 1 + (selection.selectionSet ? depthOfSelections(selection.selectionSet) : 0));
    }
    return deepest;
  };
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return Math.max(0, ...operations.map(({ selectionSet }) => depthOfSelections(selectionSet)));
}
