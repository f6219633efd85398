export { FragmentSpeller } from './fragment-speller.ts';
export { valueName } from './graphql-name.ts';
export { type GraphqlView, graphqlView, unchangedView, writtenSpelling } from './graphql-view.ts';
