import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  parse,
  print,
} from 'graphql';
import {
  type RootField,
  type RootKind,
  requestsById,
  rootFields,
  type SampleRequest,
} from '../../../compiler/emit/index.ts';
import { createTranslators, type Translators } from '../../../compiler/graphql/fields/index.ts';
import { exampleOf } from '../../../compiler/json-schema/index.ts';
import { type ContractModel, type GraphqlModel, upperFirst } from '../../../compiler/model/index.ts';
import type { FieldDescriptor, FurtherField, TotalsField } from '../../../descriptor/graphql.ts';
import { ownMember } from '../../../descriptor/look-up.ts';
import { resourceWithKey, totalsOf } from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import { givenBy, namesRow, sourceOf } from './argument-sources.ts';
import { SampleAnswers } from './sample-answers.ts';

/** A root field as a reader meets it: how to ask, and what is answered. */
export interface GraphqlOperation {
  readonly kind: RootKind;
  /** A document that asks for this field alone. */
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** `data` of an answer. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The REST operation that does the same. */
  readonly operationId: string | undefined;
}

/** A result of a batch over REST. */
interface BatchAnswer {
  readonly status: number;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** How many entries a list is asked for. */
const PAGE = 2;
const SCALARS: Readonly<Record<string, unknown>> = {
  Int: 1,
  Float: 1,
  SafeInt: 1,
  BigInt: '1',
  Decimal: '1',
  Boolean: true,
};

/** What an example says instead of the contract's. */
export interface ChangedExample {
  /** The body of the REST operation that does the same, as JSON. */
  readonly body?: unknown;
  /** Values of arguments, those that need not be given among them. */
  readonly given?: Readonly<Record<string, unknown>>;
}

/** The root fields of a contract, and an example of each when somebody asks. */
export interface GraphqlExamples {
  readonly schema: GraphQLSchema;
  readonly roots: readonly RootField[];
  /** `changed`: what it says instead of the contract's examples. */
  operation(root: RootField, changed?: ChangedExample): GraphqlOperation;
  /** The REST operation that does what a field does; of an event, the one that reads what changed. */
  counterpart(root: RootField): string | undefined;
}

/** Every field of the root types, with examples made of the contract's. */
export const graphqlExamples = (
  model: ContractModel,
  graphql: GraphqlModel,
  requests = requestsById(model),
  answers = new SampleAnswers(model),
): GraphqlExamples => new Examples(model, graphql, requests, answers);

class Examples implements GraphqlExamples {
  readonly schema: GraphQLSchema;
  readonly roots: readonly RootField[];
  readonly #model: ContractModel;
  readonly #graphql: GraphqlModel;
  readonly #translators: Translators;
  readonly #requests: ReadonlyMap<string, SampleRequest>;
  readonly #answers: SampleAnswers;

  constructor(
    model: ContractModel,
    graphql: GraphqlModel,
    requests: ReadonlyMap<string, SampleRequest>,
    answers: SampleAnswers,
  ) {
    this.schema = buildSchema(graphql.sdl, { assumeValid: true });
    this.#model = model;
    this.#graphql = graphql;
    this.roots = rootFields(this.schema);
    this.#translators = createTranslators(this.schema, graphql.descriptor);
    this.#requests = requests;
    this.#answers = answers;
  }

  #descriptorOf({ type, field }: RootField): FieldDescriptor | undefined {
    return this.#graphql.descriptor.fields[`${type.name}.${field.name}`];
  }

  counterpart(root: RootField): string | undefined {
    return this.#counterpart(this.#descriptorOf(root));
  }

  operation(root: RootField, { body, given = {} }: ChangedExample = {}): GraphqlOperation {
    const { kind, field } = root;
    const descriptor = this.#descriptorOf(root);
    const operationId = this.#counterpart(descriptor);
    const known = operationId === undefined ? undefined : this.#requests.get(operationId);
    const request = known?.body && body !== undefined ? { ...known, body: { ...known.body, value: body } } : known;
    const asked = field.args.filter(
      (argument) =>
        isRequiredArgument(argument) ||
        argument.name === 'first' ||
        argument.name in given ||
        namesRow(argument.name, descriptor),
    );
    // What is read by one of several keys is read by that of its path.
    const used = asked.length === 0 && descriptor?.kind === 'get' ? field.args.slice(0, 1) : asked;
    const variables = Object.fromEntries(
      used.map((argument) => [argument.name, given[argument.name] ?? this.#valueOf(argument, descriptor, request)]),
    );
    return {
      kind,
      variables,
      operationId,
      document: this.#document(root, used, descriptor),
      data: { [field.name]: this.#answer(field, descriptor, request) },
    };
  }

  #document(
    { kind, field }: RootField,
    used: readonly GraphQLArgument[],
    descriptor: FieldDescriptor | undefined,
  ): string {
    const declared = used.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
    const given = used.map(({ name }) => `${name}: $${name}`).join(', ');
    const head = `${kind} ${upperFirst(field.name)}${declared && `(${declared})`}`;
    return print(parse(`${head} { ${field.name}${given && `(${given})`} ${this.#selection(field, descriptor)} }`));
  }

  #selection({ type }: GraphQLField<unknown, unknown>, descriptor: FieldDescriptor | undefined): string {
    const { selection } = this.#translators;
    if (descriptor?.kind === 'totals') return `{ nodes { ${this.#measureOf(descriptor).field} } hasMore }`;
    if (!isConnection(type)) return selection.of(type);
    return `{ nodes ${selection.of(selection.nodesOf(type))} pageInfo { hasNextPage endCursor } }`;
  }

  /** The measure that totals answer without others: the selection of GraphQL names it. */
  #measureOf({ resource, operationId, type }: TotalsField): { readonly name: string; readonly field: string } {
    const totals = operationWithId(totalsOf(resourceWithKey(this.#model.resources, resource)), operationId);
    const [name = ''] = totals.measures.toSorted((a, b) => Number(b === 'count') - Number(a === 'count'));
    const group = this.schema.getType(type);
    const fields = isObjectType(group) ? Object.keys(group.getFields()) : [];
    const { spelling } = this.#translators;
    return { name, field: fields.find((field) => spelling.property(type, field) === name) ?? name };
  }

  /** The answer of REST to the same, as far as it is selected. */
  #totals(descriptor: TotalsField): unknown {
    const { name, field } = this.#measureOf(descriptor);
    const { data = [] } = Object(this.#answers.of(descriptor.operationId)) as { data?: readonly object[] };
    const groups = data.map((group) => ({ [field]: ownMember<unknown>({ ...group }, name) ?? null }));
    return { nodes: groups, hasMore: false };
  }

  /** The results of REST, as GraphQL has them. */
  #batch({ operationId }: FurtherField, { type }: GraphQLField<unknown, unknown>): unknown {
    const { data = [] } = Object(this.#answers.of(operationId)) as { data?: readonly BatchAnswer[] };
    const results = this.schema.getType(`${getNamedType(type).name}Result`);
    const names = isObjectType(results) ? Object.keys(results.getFields()) : [];
    const row = names.find((name) => name !== 'status' && name !== 'id') ?? '';
    return { results: data.map(({ status, data: of }) => ({ status, id: of?.['id'] ?? null, [row]: of ?? null })) };
  }

  #counterpart(descriptor: FieldDescriptor | undefined): string | undefined {
    if (!descriptor) return undefined;
    if ('operationId' in descriptor) return descriptor.operationId;
    if (!('resource' in descriptor)) return undefined;
    const { actions } = resourceWithKey(this.#model.resources, descriptor.resource);
    const action = ACTION_OF[descriptor.kind];
    return action === undefined ? undefined : actions[action]?.operationId;
  }

  #valueOf(
    argument: GraphQLArgument,
    descriptor: FieldDescriptor | undefined,
    request: SampleRequest | undefined,
  ): unknown {
    const { name, type } = argument;
    if (name === 'first') return PAGE;
    const source = sourceOf(name, descriptor, this.#model.resources);
    const given = request && source && givenBy(source, request);
    const input = getNamedType(type);
    const value = given === undefined ? this.#made(type) : this.#translators.inputs.graphql(input.name, given);
    return input.name === 'ID' && value !== null ? String(value) : this.#translators.spelling.value(type, value);
  }

  /** The simplest value of a type. */
  #made(type: GraphQLInputType): unknown {
    const nullable = getNullableType(type);
    if (isListType(nullable)) return [this.#made(nullable.ofType)];
    if (isEnumType(nullable)) return nullable.getValues()[0]!.name;
    if (isInputObjectType(nullable)) {
      const fields = Object.values(nullable.getFields());
      const needed = nullable.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
      return Object.fromEntries(needed.map((field) => [field.name, this.#made(field.type)]));
    }
    const known = SCALARS[nullable.name];
    return known ?? exampleOf(this.#model.document, { type: 'string', format: FORMATS[nullable.name] ?? 'uuid' });
  }

  #answer(
    field: GraphQLField<unknown, unknown>,
    descriptor: FieldDescriptor | undefined,
    request: SampleRequest | undefined,
  ): unknown {
    const { selection } = this.#translators;
    if (descriptor?.kind === 'totals') return this.#totals(descriptor);
    if (descriptor?.kind === 'batch') return selection.project(field.type, this.#batch(descriptor, field));
    if (isLeafType(getNamedType(field.type))) return this.#leaf(field, descriptor, request);
    const value = this.#read(descriptor, request);
    if (!isConnection(field.type)) return value === undefined ? null : selection.project(field.type, value);
    const nodes = value === undefined ? [] : [selection.project(selection.nodesOf(field.type), value)];
    return { nodes, pageInfo: { hasNextPage: false, endCursor: null } };
  }

  /** What a deletion or a custom field answers that has no parts. */
  #leaf(
    { type }: GraphQLField<unknown, unknown>,
    descriptor: FieldDescriptor | undefined,
    request: SampleRequest | undefined,
  ): unknown {
    const id = descriptor?.kind === 'custom' ? undefined : request?.inPath.at(-1)?.given;
    if (getNamedType(type).name === 'ID' && id !== undefined) return String(id);
    return this.#made(type as GraphQLInputType);
  }

  /** What REST answers to the same: a row, or the body of a custom operation. */
  #read(descriptor: FieldDescriptor | undefined, request: SampleRequest | undefined): unknown {
    if (!descriptor || !('resource' in descriptor)) return request && this.#answers.of(request.operationId);
    const resource = resourceWithKey(this.#model.resources, descriptor.resource);
    const { kind } = descriptor;
    const isWritten = kind === 'created' || kind === 'create' || kind === 'replace' || kind === 'update';
    const action = isWritten && resource.actions[kind === 'created' ? 'create' : kind];
    return action ? this.#answers.of(action.operationId) : this.#answers.row(resource);
  }
}

const ACTION_OF: Readonly<Record<string, 'list' | 'get' | 'create' | 'replace' | 'update' | 'delete' | undefined>> = {
  ...{ list: 'list', get: 'get', create: 'create', replace: 'replace', update: 'update', delete: 'delete' },
  ...{ created: 'get', updated: 'get', deleted: 'get' },
};

const FORMATS: Readonly<Record<string, string>> = {
  DateTime: 'date-time',
  Date: 'date',
  URL: 'uri',
  EmailAddress: 'email',
};

const isConnection = (type: GraphQLField<unknown, unknown>['type']): boolean => {
  const fields = (getNamedType(type) as Partial<GraphQLObjectType>).getFields?.();
  return fields?.['nodes'] !== undefined && fields['pageInfo'] !== undefined;
};
