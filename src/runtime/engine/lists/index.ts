export type { Counted } from './counted.ts';
export { createCursorCodec } from './cursor.ts';
export { BACKWARD, listPlanner } from './list-plan.ts';
