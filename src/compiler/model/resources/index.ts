export { answerShape, batchKindsOf, bodyShape, itemShape, MOST_ITEMS, partsOf, type Shape } from './batch-shape.ts';
export { draftContract } from './draft-contract.ts';
export type { ReadFurther } from './further-fault.ts';
export {
  FILTER_OPERATORS,
  filterParameters,
  INCLUDE_PARAMETER,
  itemSchema,
  offeredValues,
  PAGING_PARAMETERS,
  pagingParameter,
  parameterSchema,
  SEARCH_PARAMETER,
} from './list-parameters.ts';
export { countBoundOf, inlineObjectDraft, pageInfoOf } from './object-draft.ts';
export { FURTHER_READERS } from './read-further.ts';
export {
  accessOfInclude,
  type Includable,
  includableRows,
  type ReadInclude,
  readIncludes,
  stepsOf,
} from './read-includes.ts';
export { schemaOfTotal, typesOfTotals } from './read-totals.ts';
export { managedProperties } from './recognise.ts';
export { columnOf, isHash, mappedColumns } from './storage-names.ts';
