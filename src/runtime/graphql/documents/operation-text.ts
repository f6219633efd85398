import {
  type DocumentNode,
  type ExecutableDefinitionNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';

/** One operation of a document with the fragments that it uses. */
export interface Separated {
  readonly operation: OperationDefinitionNode;
  readonly document: DocumentNode;
  /** The source with everything else replaced by spaces, so that locations stay the same. */
  readonly text: string;
}

/**
 * Separates an operation from the others of its document: an executor that caches compiled operations by their source
 * must never get two operations with the same source.
 */
export function separate(source: string, document: DocumentNode, operation: OperationDefinitionNode): Separated {
  const needed = neededFragments(document, operation);
  const isKept = (definition: DocumentNode['definitions'][number]): boolean =>
    definition === operation || needed.has(definition as FragmentDefinitionNode);
  const others = document.definitions.filter((definition) => !isKept(definition));
  if (others.length === 0) return { operation, document, text: source };
  return {
    operation,
    document: { ...document, definitions: document.definitions.filter(isKept) },
    text: others.reduce(blanked, source),
  };
}

function neededFragments(
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
): ReadonlySet<FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const needed = new Set<FragmentDefinitionNode>();
  const collect = (from: ExecutableDefinitionNode): void => {
    visit(from, {
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (!fragment || needed.has(fragment)) return;
        needed.add(fragment);
        collect(fragment);
      },
    });
  };
  collect(operation);
  return needed;
}

function blanked(text: string, { loc }: DocumentNode['definitions'][number]): string {
  const { start, end } = loc!;
  return text.slice(0, start) + text.slice(start, end).replace(/[^\r\n]/g, ' ') + text.slice(end);
}
