import type { ASTNode, DocumentNode, GraphQLSchema } from 'graphql';
import type { Finding, Location } from '../findings/finding.ts';

/** The GraphQL schema of a contract as read from all its files, and the locations of its nodes. */
export interface SdlSource {
  /** Paths of the files, relative to the contract folder. */
  readonly files: readonly string[];
  /** The definitions, with extensions merged and built-in directives added. */
  readonly document: DocumentNode;
  /** Undefined when a finding is an error. */
  readonly schema: GraphQLSchema | undefined;
  readonly findings: readonly Finding[];
  /** The location of a node; `coordinate` names it (`Query.books`). */
  locate(node: ASTNode | null | undefined, coordinate?: string): Location;
}
