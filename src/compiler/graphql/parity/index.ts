export { collidingOperations, nameCollisions } from './name-collisions.ts';
export { addAfter, addAt, setDefault } from './sdl-edits.ts';
