import { lockstepCodegen } from './src/codegen.ts';

/**
 * The TypeScript of the GraphQL schema, in `generated/types/graphql.ts`. More plugins and output files go here:
 * see docs/codegen.md.
 */
export default lockstepCodegen();
