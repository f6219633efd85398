export { graphiqlPage } from './graphiql.ts';
export { listDocuments } from './list-document.ts';
