import type { CompiledValidators } from './dialect.ts';

/** None: an image has others in their place, compiled when it is made. */
export const compiledValidators: CompiledValidators = {};
