export { ACCESS, ADDITIONS, CI, DEPLOY, ID_KINDS } from './addition-kinds.ts';
export { SCALARS } from './scalars.ts';
