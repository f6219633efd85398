import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { createTranslators, type Translators } from '../../compiler/graphql/fields/index.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { FieldDescriptor, GraphqlDescriptor, ParamArguments } from '../../descriptor/graphql.ts';
import type { Action, OwnRole, ResourceDescriptor } from '../../descriptor/resource.ts';
import { type CostOf, costOf, measure } from '../../runtime/graphql/documents/index.ts';
import { argumentsOfQuery } from './list-arguments.ts';
import type { WireRequest } from './request.ts';
import type { Step } from './step.ts';

/** A field on the route to an action's answer, with the meaning of its arguments. */
export interface RouteField {
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly params: ParamArguments;
  readonly input: string | undefined;
  readonly takesQuery: boolean;
}

/** The path from the root to the field of an action: one field, or two for a child's list on its parent. */
export interface Route {
  readonly operation: 'query' | 'mutation';
  readonly fields: readonly RouteField[];
}

/** `user.orders`. */
export const routeName = ({ fields }: Route): string => fields.map(({ name }) => name).join('.');

/** What is asked of the edges of a page, as far as the cost limit allows it. */
const EDGES = ['edges { cursor node { id } } ', 'edges { cursor } ', ''];

interface Found {
  readonly type: string;
  readonly name: string;
  readonly descriptor: FieldDescriptor;
}

/** A field of an operation that a resource has beside its actions. */
export interface Further<K extends FieldDescriptor['kind']> {
  readonly name: string;
  readonly own: Extract<FieldDescriptor, { kind: K }>;
  readonly field: RouteField['field'];
}

/** Builds GraphQL requests for steps. */
export class GraphqlRequests {
  readonly schema: GraphQLSchema;
  readonly descriptor: GraphqlDescriptor;
  readonly translators: Translators;
  readonly #found: readonly Found[];
  readonly #costs = new Map<string, CostOf>();

  constructor({ sdl, descriptor }: NonNullable<CompiledContract['graphql']>) {
    this.schema = buildSchema(sdl, { assumeValid: true });
    this.descriptor = descriptor;
    this.translators = createTranslators(this.schema, descriptor);
    this.#found = Object.entries(descriptor.fields).map(([coordinate, field]) => {
      const [type = '', name = ''] = coordinate.split('.');
      return { type, name, descriptor: field };
    });
  }

  /** Undefined when GraphQL has no field for the action. */
  route({ key, parent }: ResourceDescriptor, action: Action): Route | undefined {
    const operation = action === 'list' || action === 'get' ? 'query' : 'mutation';
    const root = this.#found.find(
      ({ descriptor: one, type }) => one.kind === action && one.resource === key && isRoot(type),
    );
    if (root) return { operation, fields: [this.#field(root)] };
    if (action !== 'list' || !parent) return undefined;
    const above = this.#found.find(({ descriptor: one }) => one.kind === 'get' && one.resource === parent.resource);
    const below = this.#found.find(
      ({ descriptor: one, type }) =>
        one.kind === 'connection' &&
        one.property === parent.property &&
        one.resource === key &&
        this.descriptor.types[type] === parent.resource,
    );
    return above && below && { operation, fields: [this.#field(above), this.#field(below)] };
  }

  /** Routes through a resource to those fields of its type that are not plain properties, with their descriptors. */
  nested(resource: ResourceDescriptor): readonly { readonly route: Route; readonly descriptor: FieldDescriptor }[] {
    const above = this.route(resource, 'get');
    if (!above) return [];
    return this.#found
      .filter(({ type }) => this.descriptor.types[type] === resource.key)
      .map((found) => ({
        route: { operation: 'query', fields: [...above.fields, this.#field(found)] },
        descriptor: found.descriptor,
      }));
  }

  /** The fields of an operation that a resource has beside its actions, with their descriptors. */
  further<K extends OwnRole>(kind: K, operationId: string): Further<K>[] {
    return this.#found.flatMap((found) => {
      const { name, descriptor } = found;
      const isIt = descriptor.kind === kind && descriptor.operationId === operationId;
      const own = descriptor as Further<K>['own'];
      return isIt ? [{ name, own, field: this.#field(found).field }] : [];
    });
  }

  /** What GraphQL must answer, in the shape of REST's, when REST answers the value. */
  expected({ fields }: Route, action: Action, value: unknown): unknown {
    const { selection } = this.translators;
    const { type } = fields.at(-1)!.field;
    if (action !== 'list') return selection.project(type, value);
    const { data, ...rest } = value as { readonly data: readonly unknown[] };
    const nodes = selection.nodesOf(type);
    return { data: data.map((one) => selection.project(nodes, one)), ...rest };
  }

  /** The input of REST that means the same as that of a step over GraphQL, where null may stand for absent. */
  restInput({ action, input }: Pick<Step, 'action' | 'input'>, type: string | undefined): unknown {
    return this.translators.inputs.rest(type, input, action === 'update');
  }

  #field({ type, name, descriptor }: Found): RouteField {
    const holder = this.schema.getType(type);
    if (!isObjectType(holder)) throw new Error(`${type} is not an object type.`);
    return {
      name,
      field: holder.getFields()[name]!,
      params: 'params' in descriptor ? { ...keysOf(descriptor), ...descriptor.params } : {},
      input: 'input' in descriptor ? descriptor.input : undefined,
      takesQuery: descriptor.kind === 'list' || descriptor.kind === 'connection',
    };
  }

  request(step: Step, route: Route): WireRequest {
    return this.requestFor(step, route, this.#answersOf(route.fields.at(-1)!.field.type, step)).request;
  }

  /** The request for the first of several selections that the limits allow, or else for the last. */
  requestFor(
    step: Step,
    { operation, fields }: Route,
    selections: readonly string[],
  ): { readonly request: WireRequest; readonly selection: string } {
    const given = fields.map((field) => this.#argumentsOf(field, step));
    const variables = Object.assign({}, ...given.map((values, i) => prefixed(i, values)));
    const declared = fields.flatMap(({ field }, i) => declarations(i, field, given[i]!));
    const head = declared.length > 0 ? `(${declared.join(', ')})` : '';
    const open = fields.map(({ name }, i) => `{ ${name}${passed(i, given[i]!)}`).join(' ');
    const asked = selections.map((selection) => ({
      selection,
      query: `${operation}${head} ${open} ${selection}${' }'.repeat(fields.length)}`,
    }));
    const { query, selection } = asked.find((one) => this.#isAffordable(one.query, variables)) ?? asked.at(-1)!;
    return { request: graphqlRequest(query, variables, step.caller.authorization), selection };
  }

  /**
   * Whether a document stays within the limits of cost and depth: of the answers to a large page, the server may allow
   * only the leanest.
   */
  #isAffordable(query: string, variables: Record<string, unknown>): boolean {
    const known = this.#costs.get(query);
    const costs = known ?? this.#costOf(query);
    this.#costs.set(query, costs);
    return (typeof costs === 'number' ? costs : costs(variables)) <= this.descriptor.limits.cost;
  }

  #costOf(query: string): CostOf {
    const document = parse(query);
    if (measure(document).depth > this.descriptor.limits.depth) return Number.POSITIVE_INFINITY;
    return costOf(this.schema, document, document.definitions[0] as OperationDefinitionNode);
  }

  #argumentsOf({ params, input, takesQuery, field }: RouteField, step: Step): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const [argument, parameter] of Object.entries(params)) {
      const given = step.params[parameter];
      const type = field.args.find(({ name }) => name === argument)?.type;
      if (given !== undefined) values[argument] = this.translators.spelling.value(type, ofType(type, given));
    }
    if (input !== undefined) values['input'] = this.translators.inputs.graphql(input, step.input);
    if (step.ifVersion !== undefined && !takesQuery && input !== undefined) values['ifVersion'] = step.ifVersion;
    if (step.ifVersion !== undefined && step.action === 'delete') values['ifVersion'] = step.ifVersion;
    if (step.ifAbsent) values['ifAbsent'] = true;
    const query = step.query ?? {};
    return takesQuery
      ? { ...values, ...argumentsOfQuery(query, field, step.resource, this.descriptor, this.translators) }
      : values;
  }

  /** What to select, the most significant first. */
  #answersOf(type: GraphQLOutputType, { action, query }: Step): readonly string[] {
    if (action !== 'list') return [this.translators.selection.of(type)];
    const isCounted = query?.['count'] === true;
    return EDGES.map((edges) => this.#listAnswer(type, edges, isCounted));
  }

  /** Selects nodes with all their properties, and the edges to compare them with. */
  #listAnswer(type: GraphQLOutputType, edges: string, isCounted: boolean): string {
    const connection = getNamedType(type);
    if (!isObjectType(connection)) throw new Error(`${connection.name} is not a connection.`);
    const nodes = this.translators.selection.of(connection.getFields()['nodes']!.type);
    const page = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
    const count = connection.getFields()['totalCountIsExact'] ? ' totalCount totalCountIsExact' : ' totalCount';
    return `{ nodes ${nodes} ${edges}${page}${isCounted ? count : ''} }`;
  }
}

export function graphqlRequest(query: string, variables: object, authorization: string | undefined): WireRequest {
  return {
    method: 'POST',
    url: '/graphql',
    headers: {
      'content-type': 'application/json',
      ...(authorization !== undefined && { authorization }),
    },
    body: JSON.stringify({ query, variables }),
  };
}

/** The arguments of a `get` that name one by another key than that of its path. */
const keysOf = (descriptor: FieldDescriptor): ParamArguments =>
  'by' in descriptor ? Object.fromEntries(descriptor.by!.map((key) => [key, key])) : {};

/** The arguments of a field that stand for path parameters. */
export const pathArguments = (
  { args }: GraphQLField<unknown, unknown>,
  names: ParamArguments,
  params: Step['params'],
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(names).map(([name, parameter]) => [
      name,
      ofType(args.find((one) => one.name === name)?.type, params[parameter] ?? ''),
    ]),
  );

/** A path parameter as JSON has it in a variable: a number for a key that is an integer. */
function ofType(type: GraphQLInputType | undefined, given: string): unknown {
  const isInteger = type && ['Int', 'SafeInt'].includes(getNamedType(type).name) && /^-?\d{1,15}$/.test(given);
  return isInteger ? Number(given) : given;
}

const isRoot = (type: string): boolean => type === 'Query' || type === 'Mutation';

/** Arguments of different fields may share a name, so variables are numbered by field. */
const variableOf = (index: number, argument: string): string => (index === 0 ? argument : `${argument}${index}`);

function prefixed(index: number, values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [variableOf(index, name), value]));
}

/** An argument that the field does not declare is passed anyway: the server must refuse it. */
function declarations(index: number, field: RouteField['field'], values: Record<string, unknown>): string[] {
  return Object.keys(values).map((name) => {
    const argument = field.args.find((one) => one.name === name);
    return `$${variableOf(index, name)}: ${argument?.type ?? 'String'}`;
  });
}

function passed(index: number, values: Record<string, unknown>): string {
  const names = Object.keys(values);
  return names.length === 0 ? '' : `(${names.map((name) => `${name}: $${variableOf(index, name)}`).join(', ')})`;
}
