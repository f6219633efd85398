export { ACCESS_SCHEMA } from './access-schema.ts';
export { openapiTypes } from './emit-types.ts';
export { publishedDocument } from './published-document.ts';
export { type RootField, type RootKind, rootFields } from './root-fields.ts';
export {
  baseUrlOf,
  requestsById,
  type SampleParameter,
  type SampleRequest,
  sampleRequests,
} from './sample-requests.ts';
