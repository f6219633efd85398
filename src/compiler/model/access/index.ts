export { isPlainObject, type PlainObject } from './plain-object.ts';
export { inverseName, type Reference, referencesOf, relationsOf } from './relations.ts';
