import type { ASTNode, DocumentNode, GraphQLSchema } from 'graphql';
import type { Finding, Location } from '../findings/finding.ts';

/** The GraphQL side of a contract as read: one schema of all its files, and the way back to them. */
export interface SdlSource {
  /** Definitions with their extensions merged into them, built-in directives included. */
  readonly document: DocumentNode;
  /** Undefined when a finding is an error. */
  readonly schema: GraphQLSchema | undefined;
  readonly findings: readonly Finding[];
  /** Place of a node; `coordinate` names it (`Query.books`). */
  locate(node: ASTNode | null | undefined, coordinate?: string): Location;
}
