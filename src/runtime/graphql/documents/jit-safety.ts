import { type DocumentNode, Kind, type OperationDefinitionNode, visit } from 'graphql';
import { expansionOf, mergesFields } from './expansion.ts';

/** Whether the compiled operation conforms to the specification for these variables. */
export type IsJitSafe = (variables: Readonly<Record<string, unknown>>) => boolean;

/** The compiler follows every spread: its time and memory (1.5 KiB per unit) grow with the size of the expansion. */
const MAX_COMPILED_SIZE = 150;

/**
 * Determines where compiled operations deviate from the specification. They replace an absent variable inside a list or
 * an object by null instead of omitting it (GraphQL, 6.4.1), so that a patch would clear the property. They treat null as
 * false in `@skip` and `@include`. They spread a fragment only once, under the conditions of the first spread, and lose
 * conditions when they merge fields.
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

/** The variables in lists and objects, and those in directives. */
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
