export { type MaybePromise, whenKnown } from './maybe-promise.ts';
