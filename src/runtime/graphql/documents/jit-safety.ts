import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { expansionOf, mergesFields } from './expansion.ts';
import { containsItself, uses, variesInScalar } from './variable-uses.ts';

/** Whether the compiled operation conforms to the specification; where variables decide, for those given. */
export type IsJitSafe = boolean | ((variables: Readonly<Record<string, unknown>>) => boolean);

/** The compiler follows every spread: its time and memory (1.5 KiB per unit) grow with the size of the expansion. */
const MAX_COMPILED_SIZE = 150;

/**
 * Determines where compiled operations deviate from the specification. They replace an absent variable inside a list or
 * an object by null instead of omitting it (GraphQL, 6.4.1), so that a patch would clear the property. They treat null as
 * false in `@skip` and `@include`. They spread a fragment only once, under the conditions of the first spread, and lose
 * conditions when they merge fields. They read variables in the literal of a scalar, such as JSON, once for all requests.
 * They also check variables by code that repeats each input type wherever it is used, which takes seconds to compile for one
 * that contains itself; it finds a variable named `constructor` in every object.
 */
export function jitSafety(
  schema: GraphQLSchema,
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): IsJitSafe {
  if (variableDefinitions.some(({ variable }) => variable.name.value in Object.prototype)) return false;
  if (variableDefinitions.some(({ type }) => containsItself(schema, type))) return false;
  if (variableDefinitions.length > 0 && variesInScalar(schema, document)) return false;
  const { size, isSpreadTwice, isConditional } = expansionOf(document);
  if (size > MAX_COMPILED_SIZE || (isConditional && (isSpreadTwice || mergesFields(document)))) return false;
  const optional = variableDefinitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE);
  const { nested, conditional } = uses(document);
  const withoutDefault = optional
    .filter(({ defaultValue }) => !defaultValue)
    .map(({ variable }) => variable.name.value);
  const mustBePresent = withoutDefault.filter((name) => nested.has(name));
  const mustNotBeNull = optional.map(({ variable }) => variable.name.value).filter((name) => conditional.has(name));
  if (mustBePresent.length + mustNotBeNull.length === 0) return true;
  return (variables) =>
    mustBePresent.every((name) => variables[name] !== undefined) &&
    mustNotBeNull.every((name) => variables[name] !== null);
}
