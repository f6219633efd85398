import { astFromValue, type GraphQLInputType, type InputValueDefinitionNode, print } from 'graphql';
import type { Fix } from '../../findings/fix.ts';
import { setDefault } from './sdl-edits.ts';

interface Defaulted {
  readonly type: GraphQLInputType;
  readonly astNode?: InputValueDefinitionNode | null | undefined;
}

/** Gives an argument or a field of an input the default value that REST has. */
export const defaultFix = ({ type, astNode }: Defaulted, value: unknown): Fix | undefined =>
  setDefault(astNode, value === undefined ? undefined : valueText(value, type));

/** A JSON value as SDL writes it; undefined when it is no value of the type. */
function valueText(value: unknown, type: GraphQLInputType): string | undefined {
  try {
    const node = astFromValue(value, type);
    return node ? print(node) : undefined;
  } catch {
    // Another finding says that the types differ.
    return undefined;
  }
}
