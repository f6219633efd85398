export { allNeeds, circleOf, inOrder } from './order.ts';
export { ODD_SEARCHES, searchesOf } from './searches.ts';
export { spelledTime } from './spelled-time.ts';
export { randomSampler } from './values.ts';
