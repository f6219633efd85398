export { REQUESTS } from './action-requests.ts';
export { apart, inWords, unspeakableIn, unwritableIn, valueName } from './alike-names.ts';
export {
  type BatchDraft,
  customOperations,
  type FurtherDraft,
  type ObjectDraft,
  type OperationDraft,
  operationsOf,
  type PropertyDraft,
  type ResourceDraft,
} from './draft.ts';
export type { ContractModel, GraphqlModel, Modelled, OperationModel } from './model.ts';
export {
  camelCase,
  kebabCase,
  lowerFirst,
  parameterOf,
  pathSegments,
  pathShape,
  snakeCase,
  upperFirst,
} from './naming.ts';
export { collectOperations } from './operations.ts';
export type { ParityRow } from './parity-row.ts';
export { flatNamed, flatSchema, namedSchemas, schemaNamed } from './schemas.ts';
export { securityScheme, securitySchemes } from './security-schemes.ts';
export type { ContractSource } from './source.ts';
