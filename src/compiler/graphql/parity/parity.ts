import type { GraphQLField, GraphQLSchema } from 'graphql';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import { type ResourceDescriptor, resourceWithKey } from '../../../descriptor/resource.ts';
import type { Fix } from '../../findings/fix.ts';
import type { ContractDraft, OperationDraft, ResourceDraft } from '../../model/draft.ts';
import { type Aspect, type ParityRow, type Side, verdictOf } from '../../model/parity-row.ts';
import type { SdlSource } from '../../sdl/sdl-source.ts';
import { directiveOf, fieldAt, type SdlNode } from '../convention/directives.ts';

export type Field = GraphQLField<unknown, unknown>;

/** Both sides of a contract, and the facts collected from them. */
export class Parity {
  readonly draft: ContractDraft;
  readonly document: OpenApiDocument;
  readonly sdl: SdlSource;
  readonly schema: GraphQLSchema;
  readonly resources: readonly ResourceDescriptor[];
  readonly descriptor: GraphqlDescriptor;
  /** The fields that have a descriptor. */
  readonly fields: readonly (readonly [coordinate: string, GraphqlDescriptor['fields'][string], Field])[];
  readonly rows: ParityRow[] = [];
  readonly #met = new Map<string, Set<unknown>>();

  constructor(
    draft: ContractDraft,
    sdl: SdlSource & { readonly schema: GraphQLSchema },
    resources: readonly ResourceDescriptor[],
    descriptor: GraphqlDescriptor,
  ) {
    this.draft = draft;
    this.document = draft.document;
    this.sdl = sdl;
    this.schema = sdl.schema;
    this.resources = resources;
    this.descriptor = descriptor;
    this.fields = Object.entries(descriptor.fields).flatMap(([coordinate, one]) => {
      const field = this.field(coordinate);
      return field ? [[coordinate, one, field] as const] : [];
    });
  }

  /** Adds a fact; `fix` is asked only for a difference. */
  add(
    resource: string,
    aspect: Aspect,
    name: string,
    rest: Side,
    graphql: Side,
    fix?: () => Fix | undefined,
    hint?: string,
  ): void {
    if (rest.text === undefined && graphql.text === undefined) return;
    const verdict = verdictOf(rest, graphql);
    const found = verdict === 'different' ? fix?.() : undefined;
    const row = { resource, aspect, name, rest, graphql, verdict };
    const isHinted = verdict === 'different' && hint !== undefined;
    this.rows.push({ ...row, ...(isHinted && { hint }), ...(found && { fix: found }) });
  }

  /** Adds that GraphQL asks for more before it comes to what both have. */
  addStricter(row: Omit<ParityRow, 'verdict' | 'fix'>, fix: Fix | undefined): void {
    this.rows.push({ ...row, verdict: 'stricter', ...(fix && { fix }) });
  }

  /** Whether a type is met with this node of the document, or these values, for the first time. */
  isNew(type: string, node: unknown): boolean {
    const nodes = this.#met.get(type) ?? new Set();
    this.#met.set(type, nodes);
    const isNew = !nodes.has(node);
    nodes.add(node);
    return isNew;
  }

  /** What REST states at a node of the document, or at one of its keys. */
  rest(text: string | undefined, node: object, key?: string | number): Side {
    return { text, location: this.draft.source.locate(node, key), because: restReason(node, key) };
  }

  /** What GraphQL states at a node of the schema. */
  graphql(text: string | undefined, node: SdlNode | null | undefined, coordinate = ''): Side {
    const location = this.sdl.locate(node?.astNode ?? this.schema.getQueryType()?.astNode, coordinate);
    const because = node ? this.directive(node, 'parity')?.['because'] : undefined;
    return { text, location, because: because as string | undefined };
  }

  /** What REST states of an operation. That GraphQL lacks the operation is declared of the action alone. */
  operation(text: string | undefined, { item, method }: OperationDraft): Side {
    return { ...this.rest(text, item, method), because: undefined };
  }

  /** What GraphQL states of a field that it has. */
  own(text: string | undefined, field: Field, coordinate: string): Side {
    return { ...this.graphql(text, field, coordinate), because: undefined };
  }

  directive(node: SdlNode, name: string): Readonly<Record<string, unknown>> | undefined {
    return directiveOf(this.schema, node, name);
  }

  field(coordinate: string): Field | undefined {
    return fieldAt(this.schema, coordinate);
  }

  resource(key: string): ResourceDescriptor {
    return resourceWithKey(this.resources, key);
  }

  draftOf(key: string): ResourceDraft {
    return resourceWithKey(this.draft.resources, key);
  }

  get rootNames(): { readonly query: string; readonly mutation: string; readonly subscription: string } {
    const { schema } = this;
    return {
      query: schema.getQueryType()?.name ?? 'Query',
      mutation: schema.getMutationType()?.name ?? 'Mutation',
      subscription: schema.getSubscriptionType()?.name ?? 'Subscription',
    };
  }
}

/** The reason in `x-parity: { graphql: absent, because: … }` of a node, or of its member. */
function restReason(node: object, key: string | number | undefined): string | undefined {
  const member = key === undefined ? node : (node as Record<string | number, unknown>)[key];
  const declared = (Object(member) as { 'x-parity'?: { graphql?: string; because?: string } })['x-parity'];
  return declared?.graphql === 'absent' ? (declared.because ?? '') : undefined;
}
