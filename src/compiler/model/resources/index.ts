export { draftContract } from './draft-contract.ts';
export {
  FILTER_OPERATORS,
  filterParameters,
  itemSchema,
  pagingParameter,
  parameterSchema,
  SEARCH_PARAMETER,
  sortValues,
} from './list-parameters.ts';
export { countBoundOf, pageInfoOf } from './page-info.ts';
