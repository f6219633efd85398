export { describeGraphql } from './describe-graphql.ts';
export type { Spelling } from './spelling.ts';
export { createTranslators, type Translators } from './translators.ts';
