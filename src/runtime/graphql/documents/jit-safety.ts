import { type DocumentNode, Kind, type OperationDefinitionNode, visit } from 'graphql';
import { expansionOf, mergesFields } from './expansion.ts';

/** Whether the compiled operation answers for these variables what the specification asks for. */
export type IsJitSafe = (variables: Readonly<Record<string, unknown>>) => boolean;

/** Compiling follows every spread: its time and memory (1.5 KiB for each of these) rise with the expansion. */
const MAX_COMPILED_SIZE = 150;

/**
 * A compiled operation makes null of an absent variable inside a list or an object (GraphQL, 6.4.1: it is left out),
 * which a patch would take for an order to clear; and takes null for false in `@skip` and `@include`. It
 * spreads a fragment once, under the conditions of the first spread, and loses conditions where fields are merged.
 */
export function jitSafety(document: DocumentNode, { variableDefinitions = [] }: OperationDefinitionNode): IsJitSafe {
  const { size, isSpreadTwice, isConditional } = expansionOf(document);
  if (size > MAX_COMPILED_SIZE || (isConditional && (isSpreadTwice || mergesFields(document)))) return () => false;
  const optional = variableDefinitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE);
  if (optional.length === 0) return () => true;
  const { nested, conditional } = uses(document);
  const withoutDefault = optional
    .filter(({ defaultValue }) => !defaultValue)
    .map(({ variable }) => variable.name.value);
  const mustBePresent = withoutDefault.filter((name) => nested.has(name));
  const mustNotBeNull = optional.map(({ variable }) => variable.name.value).filter((name) => conditional.has(name));
  return (variables) =>
    mustBePresent.every((name) => variables[name] !== undefined) &&
    mustNotBeNull.every((name) => variables[name] !== null);
}

/** Variables inside lists and objects, and those of directives. */
function uses(document: DocumentNode): { readonly nested: Set<string>; readonly conditional: Set<string> } {
  const nested = new Set<string>();
  const conditional = new Set<string>();
  const within = (into: Set<string>) => ({
    Variable: ({ name }: { readonly name: { readonly value: string } }) => {
      into.add(name.value);
    },
  });
  visit(document, {
    VariableDefinition: () => false,
    ObjectValue: (node) => {
      visit(node, within(nested));
    },
    ListValue: (node) => {
      visit(node, within(nested));
    },
    Directive: (node) => {
      visit(node, within(conditional));
    },
  });
  return { nested, conditional };
}
