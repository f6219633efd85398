import ajvEqual from 'ajv/dist/runtime/equal.js';
import ajvLength from 'ajv/dist/runtime/ucs2length.js';

// What the code of compiled validators refers to.
export { formats } from '../../src/descriptor/formats/formats.ts';
export { findRepeated, lenientPattern } from '../../src/runtime/schema/parts/index.ts';
export const equal = ajvEqual.default;
export const ucs2length = ajvLength.default;
