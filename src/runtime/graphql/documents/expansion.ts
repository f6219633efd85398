import { type DocumentNode, Kind, type SelectionNode, type SelectionSetNode, type ValueNode, visit } from 'graphql';

/** A document in which each spread is replaced by the fragment. */
export interface Expansion {
  /** Two for each field and fragment of all operations, and one for each value in an argument. */
  readonly size: number;
  /** Whether a fragment is spread more than once. */
  readonly isSpreadTwice: boolean;
  /** Whether the document has directives such as `@skip` and `@include`. */
  readonly isConditional: boolean;
}

/** Measures an expansion without creating it. The fragments of the document must not form cycles. */
export function expansionOf(document: DocumentNode): Expansion {
  const spread = new Set<string>();
  let isSpreadTwice = false;
  let isConditional = false;
  visit(document, {
    FragmentSpread: ({ name }) => {
      if (spread.has(name.value)) isSpreadTwice = true;
      spread.add(name.value);
    },
    Directive: () => {
      isConditional = true;
    },
  });
  return { size: sizeOf(document), isSpreadTwice, isConditional };
}

function sizeOf({ definitions }: DocumentNode): number {
  const fragments = new Map<string, SelectionSetNode>();
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition.selectionSet);
  const sizes = new Map<string, number>();
  const ofFragment = (name: string): number => {
    const size = sizes.get(name) ?? within(fragments.get(name));
    sizes.set(name, size);
    return size;
  };
  const ofSelection = (selection: SelectionNode): number => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return 2 + ofFragment(selection.name.value);
    const values = selection.kind === Kind.FIELD ? (selection.arguments ?? []) : [];
    return 2 + total(values, ({ value }) => valuesIn(value)) + within(selection.selectionSet);
  };
  const within = (set: SelectionSetNode | undefined): number => total(set?.selections ?? [], ofSelection);
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return total(operations, ({ selectionSet }) => within(selectionSet));
}

function valuesIn(value: ValueNode): number {
  if (value.kind === Kind.LIST) return 1 + total(value.values, valuesIn);
  return value.kind === Kind.OBJECT ? 1 + total(value.fields, (field) => valuesIn(field.value)) : 1;
}

const total = <T>(of: readonly T[], size: (one: T) => number): number => of.reduce((sum, one) => sum + size(one), 0);

/** Whether a field with subfields is selected twice at one place. Only for small expansions: it follows every spread. */
export function mergesFields({ definitions }: DocumentNode): boolean {
  const fragments = new Map<string, SelectionSetNode>();
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition.selectionSet);
  const seen = new Set<string>();
  const isTwice = (selection: SelectionNode, parent: string): boolean => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return within(fragments.get(selection.name.value), parent);
    if (selection.kind === Kind.INLINE_FRAGMENT) return within(selection.selectionSet, parent);
    if (!selection.selectionSet) return false;
    const path = `${parent}.${(selection.alias ?? selection.name).value}`;
    if (seen.has(path)) return true;
    seen.add(path);
    return within(selection.selectionSet, path);
  };
  const within = (set: SelectionSetNode | undefined, parent: string): boolean =>
    set?.selections.some((selection) => isTwice(selection, parent)) ?? false;
  return definitions.some(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION && within(definition.selectionSet, ''),
  );
}
