export { type CostOf, costOf } from './cost.ts';
export { measure } from './measure.ts';
