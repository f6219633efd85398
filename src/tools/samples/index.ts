export { LifelikeValues } from './lifelike-values.ts';
export { idOrValue, type PlannedIds, RowMaker } from './row-maker.ts';
export type { Values } from './sample-caller.ts';
export { sampleNeeds } from './sample-needs.ts';
