export { operationOf } from './operation-of.ts';
