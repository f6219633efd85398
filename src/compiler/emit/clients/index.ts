export {
  type ClientDocument,
  type ClientFragment,
  type ClientGraphql,
  type ClientVariable,
  clientGraphql,
} from './client-graphql.ts';
export { emitClientDocument } from './emit-client-document.ts';
export { documentTexts, fragmentText, operationText } from './graphql-text.ts';
export { renameSchemas } from './plain-schemas.ts';
export { type Publication, projectLicense, publicationOf, spdxOf } from './publication.ts';
export { actionOf, memberOf, type ResourceTree, resourcesIn, throughResources, treesOf } from './resource-tree.ts';
export { removeUnreferenced } from './unreferenced.ts';
