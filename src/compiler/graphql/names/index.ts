export { FragmentSpeller } from './fragment-speller.ts';
export { type GraphqlView, graphqlView, unchangedView, writtenSpelling } from './graphql-view.ts';
