export { lenientPattern } from './pattern.ts';
export { findRepeated } from './unique-items.ts';
