export { draftContract } from './draft-contract.ts';
export {
  FILTER_OPERATORS,
  filterParameters,
  INCLUDE_PARAMETER,
  itemSchema,
  PAGING_PARAMETERS,
  pagingParameter,
  parameterSchema,
  SEARCH_PARAMETER,
  sortValues,
} from './list-parameters.ts';
export { inlineObjectDraft } from './object-draft.ts';
export { countBoundOf, pageInfoOf } from './page-info.ts';
export { batchKindsOf, keysOfRows, membersOfItem, readBatches } from './read-batches.ts';
export {
  accessOfInclude,
  type Includable,
  includableRows,
  type ReadInclude,
  readIncludes,
  stepsOf,
} from './read-includes.ts';
export { readThroughs } from './read-throughs.ts';
export { type ReadTotals, readTotals, schemaOfTotal, typesOfTotals } from './read-totals.ts';
export { managedProperties } from './recognise.ts';
export { columnOf, isHash, mappedColumns } from './storage-names.ts';
