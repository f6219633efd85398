import { lockstepCodegen } from './src/codegen.ts';

/**
 * The TypeScript of the GraphQL schema, in `generated/types/graphql.ts`. More plugins and output files go here:
 * see "Types, and plugins of your own" in docs/graphql.md.
 */
export default lockstepCodegen();
