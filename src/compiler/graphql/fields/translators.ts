import type { GraphQLSchema } from 'graphql';
import type { GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import { InputTranslator } from './input-translator.ts';
import { Selection } from './selection.ts';
import { Spelling } from './spelling.ts';

/** What turns values of REST into those of GraphQL. */
export interface Translators {
  readonly inputs: InputTranslator;
  readonly selection: Selection;
  readonly spelling: Spelling;
}

export function createTranslators(schema: GraphQLSchema, descriptor: GraphqlDescriptor): Translators {
  const spelling = new Spelling(schema, descriptor);
  return {
    inputs: new InputTranslator(schema, descriptor, spelling),
    selection: new Selection(schema, descriptor, spelling),
    spelling,
  };
}
