import type { ASTNode, GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { FieldDescriptor } from '../../descriptor/graphql.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { OperationModel } from '../model/model.ts';

/** A field and what it was taken for; undefined: a property of its parent. */
export interface SdlField {
  readonly type: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly coordinate: string;
  readonly descriptor: FieldDescriptor | undefined;
}

/** What the rules of the SDL judge: a schema that GraphQL takes, beside resources without a fault. */
export interface SdlDraft {
  readonly schema: GraphQLSchema;
  readonly document: OpenApiDocument;
  readonly operations: readonly Pick<OperationModel, 'operationId' | 'default'>[];
  readonly resources: ReadonlyMap<string, ResourceDescriptor>;
  readonly fields: readonly SdlField[];
}

/** What a rule has found, before it gets its name and place. */
export interface SdlFault {
  readonly message: string;
  readonly hint: string;
  readonly node: ASTNode | null | undefined;
  /** `Query.books` or `Query.books(first:)`. */
  readonly coordinate: string;
}

/** One rule: what the conventions cannot serve as it is written. */
export type SdlCheck = (draft: SdlDraft) => Iterable<SdlFault>;
