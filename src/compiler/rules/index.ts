export { pluralOf, singularOf, verbOf } from './english.ts';
export { patternFault } from './patterns.ts';
