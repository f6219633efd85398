import type { ASTNode, GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { FieldDescriptor } from '../../../descriptor/graphql.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { RuleText } from '../../findings/rule-text.ts';

/** A field and its descriptor, which is undefined for a plain property of its type. */
export interface SdlField {
  readonly type: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly coordinate: string;
  readonly descriptor: FieldDescriptor | undefined;
}

/** What the rules check: a schema that is valid GraphQL, and resources without errors. */
export interface SdlDraft {
  readonly schema: GraphQLSchema;
  readonly document: OpenApiDocument;
  readonly resources: ReadonlyMap<string, ResourceDescriptor>;
  readonly fields: readonly SdlField[];
}

/** What a rule reports, before the name of the rule and the location are added. */
interface SdlFault {
  /** An error, where it is left out. */
  readonly severity?: 'warning';
  readonly message: string;
  readonly hint: string;
  readonly node: ASTNode | null | undefined;
  /** `Query.books` or `Query.books(first:)`. */
  readonly coordinate: string;
}

/** A rule of the SDL: what the conventions cannot implement. */
export interface SdlRule extends RuleText {
  check(draft: SdlDraft): Iterable<SdlFault>;
}
