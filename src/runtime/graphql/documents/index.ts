export { type CostOf, costOf } from './cost.ts';
