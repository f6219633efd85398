export { inverseName, type Reference, referencesOf, relationsOf } from './relations.ts';
