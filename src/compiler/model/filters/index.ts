export { conditionParameter, referenceParameters } from './filter-parameters.ts';
