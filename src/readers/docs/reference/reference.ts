import { type GraphQLNamedType, isSpecifiedScalarType, parse } from 'graphql';
import { type RootField, requestsById, type SampleRequest } from '../../../compiler/emit/index.ts';
import type { ContractModel, OperationModel } from '../../../compiler/model/index.ts';
import { type Access, admitsAnonymous } from '../../../descriptor/access.ts';
import { tagOf } from '../../../descriptor/document.ts';
import type { FieldDescriptor } from '../../../descriptor/graphql.ts';
import { once } from '../../../descriptor/once.ts';
import { type ResourceDescriptor, resourceWithKey } from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import { costOf } from '../../../runtime/graphql/documents/index.ts';
import { isLarge } from '../layout/large.ts';
import type { SitePath } from '../layout/links.ts';
import type { NavLink } from '../layout/page.ts';
import {
  type ChangedExample,
  type GraphqlExamples,
  type GraphqlOperation,
  graphqlExamples,
} from '../samples/graphql-operations.ts';
import { SampleAnswers } from '../samples/sample-answers.ts';
import { type CodeSample, codeSamples } from '../samples/samples.ts';
import { commonCodes } from './error-codes.ts';
import { type Places, placesOf, REST, tagNameOf } from './places.ts';
import { SchemaWords } from './schema-words.ts';

/** Where readers reach the API. */
export interface Addresses {
  /** Base URL of REST, without a trailing slash. */
  readonly base: string;
  /** URL of GraphQL. */
  readonly endpoint: string;
  /** Path in the site of GraphiQL. */
  readonly graphiql: SitePath;
}

/** A contract as its documentation looks at it: what belongs together, and where it is described. */
export class Reference {
  readonly model: ContractModel;
  readonly addresses: Addresses;
  readonly places: Places;
  readonly words: SchemaWords;
  /** A request for each operation, by its id. */
  readonly requests: ReadonlyMap<string, SampleRequest>;
  /** What these are answered. */
  readonly answers: SampleAnswers;
  /** The types of GraphQL that readers meet, without those of the roots. */
  readonly graphqlTypes: readonly GraphQLNamedType[];
  /** The codes that pages name and do not describe, since all of many operations have them. */
  readonly sharedCodes: () => ReadonlySet<string>;
  readonly #examples: GraphqlExamples | undefined;
  readonly #samples: (operationId: string) => readonly CodeSample[];
  readonly #roots: ReadonlyMap<string, readonly RootField[]>;
  readonly #connections: () => ReadonlyMap<string, readonly string[]>;

  constructor(model: ContractModel, addresses: Addresses) {
    this.model = model;
    this.addresses = addresses;
    this.requests = requestsById(model);
    this.answers = new SampleAnswers(model);
    this.#examples = model.graphql && graphqlExamples(model, model.graphql, this.requests, this.answers);
    this.#samples = codeSamples(model, addresses.base, this.requests);
    this.graphqlTypes = this.#examples ? typesOf(this.#examples) : [];
    this.sharedCodes = once(() => (isLarge(model) ? commonCodes(model) : new Set()));
    this.#connections = once(() => connectionsIn(model));
    this.#roots = Map.groupBy(this.#examples?.roots ?? [], (root) => this.#ownerOf(root) ?? '');
    this.places = placesOf(model, {
      types: this.graphqlTypes.map(({ name }) => name),
      fields: this.fieldsAlone.map(({ field }) => field.name),
    });
    this.words = new SchemaWords(model.document, this.places);
  }

  /** The operation on whose page a root field stands: the one that does the same. An event has a page of its own. */
  #ownerOf(root: RootField): string | undefined {
    return root.kind === 'subscription' ? undefined : this.counterpart(root);
  }

  /** All root fields, those that do what operations do in the order of these. */
  get roots(): readonly RootField[] {
    return [...this.model.operations.flatMap(({ operationId }) => this.fieldsOf(operationId)), ...this.fieldsAlone];
  }

  /** Where a root field is described. */
  placeOf(root: RootField): SitePath {
    const operationId = this.#ownerOf(root);
    return operationId === undefined
      ? this.places.field(root.field.name)
      : `${this.places.operation(operationId)}#graphql`;
  }

  /** The root fields that have pages of their own. */
  get fieldsAlone(): readonly RootField[] {
    return this.#roots.get('') ?? [];
  }

  /** The root fields that do what an operation does. */
  fieldsOf(operationId: string): readonly RootField[] {
    return this.#roots.get(operationId) ?? [];
  }

  /** The connections on types that list what an operation lists below one of another resource: `Issue.labels`. */
  connectionsOf(operationId: string): readonly string[] {
    return this.#connections().get(operationId) ?? [];
  }

  /** The operation that does what a root field does; of an event, the one that reads what changed. */
  counterpart(root: RootField): string | undefined {
    return this.#examples?.counterpart(root);
  }

  /** What a root field resolves to; undefined: what has its name. */
  descriptorOf({ type, field }: RootField): FieldDescriptor | undefined {
    return this.model.graphql?.descriptor.fields[`${type.name}.${field.name}`];
  }

  /** Who may ask for a root field; undefined: the contract says nothing of it. */
  accessOf(root: RootField): Access | undefined {
    const descriptor = this.descriptorOf(root);
    const operationId = this.counterpart(root);
    if (descriptor?.kind === 'custom') return descriptor.access;
    return operationId === undefined ? undefined : operationWithId(this.model.operations, operationId).access;
  }

  /** Whether its samples have a token. */
  needsToken(root: RootField): boolean {
    const access = this.accessOf(root);
    const isAsked = this.requests.get(this.counterpart(root) ?? '')?.needsToken === true;
    return access !== undefined && (isAsked || !admitsAnonymous(access));
  }

  /** The resource that a root field is about. */
  resourceOfField(root: RootField): ResourceDescriptor | undefined {
    const descriptor = this.descriptorOf(root);
    if (!descriptor || !('resource' in descriptor)) return undefined;
    return resourceWithKey(this.model.resources, descriptor.resource);
  }

  /** The root field that does something with a resource. */
  fieldWith(kind: FieldDescriptor['kind'], resource: ResourceDescriptor): RootField | undefined {
    return this.#examples?.roots.find(
      (root) => this.descriptorOf(root)?.kind === kind && this.resourceOfField(root)?.key === resource.key,
    );
  }

  example(root: RootField, changed?: ChangedExample): GraphqlOperation {
    if (!this.#examples) throw new Error('The contract has no GraphQL.');
    return this.#examples.operation(root, changed);
  }

  /** What a document costs of what one may cost. */
  cost({ document, variables }: GraphqlOperation): number {
    const parsed = parse(document);
    const [operation] = parsed.definitions;
    if (operation?.kind !== 'OperationDefinition' || !this.#examples) throw new Error('A document has one operation.');
    const cost = costOf(this.#examples.schema, parsed, operation);
    return typeof cost === 'number' ? cost : cost(variables);
  }

  samples(operationId: string): readonly CodeSample[] {
    return this.#samples(operationId);
  }

  /** The resource of an operation: that of its action, or of what else stands under its tag. */
  resourceOf({ default: own, node }: Pick<OperationModel, 'default' | 'node'>): ResourceDescriptor | undefined {
    const { resources, operations } = this.model;
    const tag = tagOf(node);
    const beside =
      own ?? (tag === '' ? undefined : operations.find((one) => one.default && tagOf(one.node) === tag)?.default);
    return beside && resources.find(({ key }) => key === beside.resource);
  }

  /** What an operation is listed under. */
  groupOf(operation: Pick<OperationModel, 'default' | 'node' | 'path'>): NavLink {
    const resource = this.resourceOf(operation);
    if (resource) return { title: resource.name, path: this.places.resource(resource.name) };
    const tag = tagNameOf(operation);
    return isLarge(this.model) ? { title: tag, path: this.places.tag(tag) } : REST;
  }
}

function typesOf({ schema, roots }: GraphqlExamples): readonly GraphQLNamedType[] {
  const names = new Set(roots.map(({ type }) => type.name));
  return Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !names.has(type.name) && !isSpecifiedScalarType(type),
  );
}

/** The coordinates of connections, by the operation that lists the same. */
function connectionsIn({ graphql, resources }: ContractModel): ReadonlyMap<string, readonly string[]> {
  const listed = new Map(
    resources.flatMap(({ key, parent, actions }) =>
      parent && actions.list ? [[`${key} ${parent.property}`, actions.list.operationId] as const] : [],
    ),
  );
  const found = Object.entries(graphql?.descriptor.fields ?? {}).flatMap(([coordinate, field]) => {
    if (field.kind !== 'connection') return [];
    return [{ coordinate, operationId: field.through ?? listed.get(`${field.resource} ${field.property}`) }];
  });
  const grouped = Map.groupBy(found, ({ operationId }) => operationId ?? '');
  return new Map([...grouped].map(([operationId, own]) => [operationId, own.map(({ coordinate }) => coordinate)]));
}
