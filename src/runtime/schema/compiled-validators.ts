import type { CompiledValidators } from './dialect.ts';

/** By the base path of their document. None: an image has others in their place, compiled when it is made. */
export const compiledValidators: Readonly<Record<string, CompiledValidators>> = {};
