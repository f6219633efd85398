export { bind, eachComparison } from './shapes.ts';
export type { Statement } from './statement.ts';
export { TableStatements } from './table-statements.ts';
