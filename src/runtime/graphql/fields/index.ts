export type { GraphqlContext } from './context.ts';
export type { ResolverContext, ResolverWiring } from './resolvers.ts';
export { SCALAR_FORMATS } from './scalars.ts';
