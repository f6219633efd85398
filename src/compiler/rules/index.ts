export { singularOf } from './english.ts';
