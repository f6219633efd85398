import { type GraphQLField, type GraphQLOutputType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import type { FieldDescriptor, GraphqlDescriptor, ParamArguments } from '../../descriptor/graphql.ts';
import type { Action, ResourceDescriptor } from '../../descriptor/resource.ts';
import type { InputTranslator } from './input-translator.ts';
import { argumentsOfQuery } from './list-arguments.ts';
import type { WireRequest } from './request.ts';
import type { Selection } from './selection.ts';
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

interface Found {
  readonly type: string;
  readonly name: string;
  readonly descriptor: FieldDescriptor;
}

/** Builds GraphQL requests for steps. */
export class GraphqlRequests {
  readonly schema: GraphQLSchema;
  readonly descriptor: GraphqlDescriptor;
  readonly #inputs: InputTranslator;
  readonly #selection: Selection;
  readonly #found: readonly Found[];

  constructor(schema: GraphQLSchema, descriptor: GraphqlDescriptor, inputs: InputTranslator, selection: Selection) {
    this.schema = schema;
    this.descriptor = descriptor;
    this.#inputs = inputs;
    this.#selection = selection;
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

  #field({ type, name, descriptor }: Found): RouteField {
    const holder = this.schema.getType(type);
    if (!isObjectType(holder)) throw new Error(`${type} is not an object type.`);
    return {
      name,
      field: holder.getFields()[name]!,
      params: 'params' in descriptor ? descriptor.params : {},
      input: 'input' in descriptor ? descriptor.input : undefined,
      takesQuery: descriptor.kind === 'list' || descriptor.kind === 'connection',
    };
  }

  request(step: Step, { operation, fields }: Route): WireRequest {
    const given = fields.map((field) => this.#argumentsOf(field, step));
    const variables = Object.assign({}, ...given.map((values, i) => prefixed(i, values)));
    const declared = fields.flatMap(({ field }, i) => declarations(i, field, given[i]!));
    const head = declared.length > 0 ? `(${declared.join(', ')})` : '';
    const open = fields.map(({ name }, i) => `{ ${name}${passed(i, given[i]!)}`).join(' ');
    const answer = this.#answerOf(fields.at(-1)!.field.type, step);
    const query = `${operation}${head} ${open} ${answer}${' }'.repeat(fields.length)}`;
    return graphqlRequest(query, variables, step.caller.authorization);
  }

  #argumentsOf({ params, input, takesQuery, field }: RouteField, step: Step): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const [argument, parameter] of Object.entries(params)) values[argument] = step.params[parameter];
    if (input !== undefined) values['input'] = this.#inputs.graphql(input, step.input);
    if (step.ifVersion !== undefined && !takesQuery && input !== undefined) values['ifVersion'] = step.ifVersion;
    if (step.ifVersion !== undefined && step.action === 'delete') values['ifVersion'] = step.ifVersion;
    if (takesQuery) Object.assign(values, argumentsOfQuery(step.query ?? {}, field, this.descriptor));
    return values;
  }

  #answerOf(type: GraphQLOutputType, { action, query }: Step): string {
    return action === 'list' ? this.listAnswer(type, query?.['count'] === true) : this.#selection.of(type);
  }

  /** Selects nodes with all their properties, and the edges to compare them with. */
  listAnswer(type: GraphQLOutputType, isCounted: boolean): string {
    const connection = getNamedType(type);
    if (!isObjectType(connection)) throw new Error(`${connection.name} is not a connection.`);
    const nodes = this.#selection.of(connection.getFields()['nodes']!.type);
    const page = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
    return `{ nodes ${nodes} edges { cursor node { id } } ${page}${isCounted ? ' totalCount' : ''} }`;
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
