import { type GraphQLOutputType, getNamedType, isObjectType } from 'graphql';
import { snakeCase } from '../../compiler/model/index.ts';
import { INCLUDE_PARAMETER, offeredValues } from '../../compiler/model/resources/index.ts';
import { conventionNames } from '../../descriptor/convention-names.ts';
import { furtherPaths, listOf, nestedOf, operationsOf, type ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Caller } from '../harness/callers.ts';
import { argumentOf, graphqlOutcome } from '../harness/graphql-outcome.ts';
import { type GraphqlRequests, type Route, routeName } from '../harness/graphql-requests.ts';
import { type ComparedCall, toolCall } from '../harness/protocols.ts';
import type { WireReply } from '../harness/request.ts';
import type { StoredRecord } from '../harness/rows.ts';
import { type ErrorOutcome, type Outcome, operationOf, type Step, throughStep } from '../harness/step.ts';
import { ListCases } from './list-cases.ts';
import { parentOf } from './population.ts';
import type { Proof } from './proof.ts';

type Values = Readonly<Record<string, unknown>>;

/** Queries of a list, at most, each with some names. */
const MAX_QUERIES = 6;
/** Rows, at most, that are read, or below which a list is asked for, beside those of the callers who own some. */
const MAX_ROWS = 2;
/** A page that is not too dear for names of two levels. */
const FEW = { limit: 2 };

/** A read of a resource, over REST and by a route of GraphQL; undefined where GraphQL has none. */
interface Read {
  readonly rest: Omit<Step, 'caller' | 'label' | 'isFaulty'>;
  readonly graphql: Pick<Step, 'params'> & { readonly route: Route | undefined };
}

/** Compares what reads of a resource include over REST with the nested fields of GraphQL, and with tools. */
export async function proveIncludes(proof: Proof, resource: ResourceDescriptor): Promise<void> {
  if (!resource.includes) return;
  const { owner, unrestricted, all } = proof.callers;
  for (const { operationId } of operationsOf(resource)) {
    const { parameters } = proof.rest.operation(operationId);
    const parameter = parameters.find(({ in: place, name }) => place === 'query' && name === INCLUDE_PARAMETER);
    const names = parameter ? offeredValues(proof.contract.document, parameter) : [];
    if (names.length === 0) continue;
    const cases = new IncludeCases(proof, resource, operationId, names);
    const reads = [...cases.reads()];
    for (const read of reads) {
      const few = read.rest.action === 'list' ? FEW : {};
      for (const caller of all) {
        for (const name of names) await cases.run(caller, read, [name], few);
        if (names.length > 1) await cases.run(caller, read, names, few);
      }
      if (proof.tools) for (const faulty of cases.faults()) await cases.run(unrestricted, read, [faulty], {}, true);
    }
    const list = reads.find(({ rest }) => rest.action === 'list');
    if (list)
      for (const [query, some] of cases.queries())
        for (const caller of [owner, unrestricted]) await cases.run(caller, list, some, query);
    cases.skipUnmet();
  }
}

/** A name that is included: the field of GraphQL, the type of the rows, and the names beside them. */
interface Member {
  readonly name: string;
  readonly field: string;
  readonly isMany: boolean;
  /** It has `@cost`. */
  readonly isWeighted: boolean;
  readonly rows: GraphQLOutputType;
  readonly inner: readonly string[];
}

class IncludeCases {
  readonly #proof: Proof;
  readonly #resource: ResourceDescriptor;
  readonly #operationId: string;
  readonly #names: readonly string[];
  readonly #nextCursor: string;
  /** Names beside which rows were never shown. */
  readonly #unmet: Set<string>;

  constructor(proof: Proof, resource: ResourceDescriptor, operationId: string, names: readonly string[]) {
    this.#proof = proof;
    this.#resource = resource;
    this.#operationId = operationId;
    this.#names = names;
    this.#nextCursor = conventionNames(resource.nameCase).nextCursor;
    this.#unmet = new Set(names);
  }

  /** The operation for rows of those that own some, or below these. */
  *reads(): Generator<Read> {
    const proof = this.#proof;
    const resource = this.#resource;
    const { get, list } = resource.actions;
    const path = furtherPaths(resource).find(({ operationId }) => operationId === this.#operationId);
    if (this.#operationId === list?.operationId) {
      const route = proof.graphql?.route(resource, 'list');
      const own = parentOf(proof, resource, proof.callers.owner);
      const filled = this.#rows().map((row) => proof.rows.ancestorsOf(resource, row));
      for (const params of resource.parent ? [...(own ? [own] : []), ...filled] : [{}])
        yield { rest: { resource, action: 'list', params }, graphql: { route, params } };
    } else if (path || this.#operationId === get?.operationId)
      for (const row of [...[...proof.heldRows(resource)].map((held) => held.row), ...this.#rows()]) {
        const route = proof.graphql?.route(resource, 'get');
        const keyed = path && { ...proof.rows.ancestorsOf(resource, row), [path.property]: String(row[path.property]) };
        const params = keyed ?? proof.rows.paramsOf(resource, row);
        const isAskedBy = !path || route?.fields[0]?.params[path.property] !== undefined;
        const read = { resource, action: 'get', params } as const;
        if (!path || row[path.property] != null)
          yield { rest: read, graphql: { route: isAskedBy ? route : undefined, params } };
      }
    else yield* this.#joined();
  }

  #rows(): readonly StoredRecord[] {
    return this.#proof.some(this.#proof.rows.of(this.#resource), MAX_ROWS);
  }

  *#joined(): Generator<Read> {
    const { graphql, rest, rows } = this.#proof;
    const resource = this.#resource;
    const through = nestedOf(resource).find(({ operationId }) => operationId === this.#operationId);
    if (!through) return;
    const below = rows.resource(through.below);
    const joined = new Set(rows.of(rows.resource(through.join)).map((row) => row[through.from]));
    const above = rows.of(below).filter(({ id }) => joined.has(id));
    const route = graphql
      ?.nested(below)
      .find(({ descriptor }) => descriptor.kind === 'connection' && descriptor.through === this.#operationId)?.route;
    for (const row of this.#proof.some(above, MAX_ROWS)) {
      const params = rows.paramsOf(below, row);
      const step: Step = {
        resource,
        action: 'list',
        params,
        caller: this.#proof.callers.owner,
        label: '',
        isFaulty: false,
      };
      const asked = throughStep(rest.operations, below, this.#operationId, step);
      if (asked) yield { rest: asked, graphql: { route, params } };
    }
  }

  /** That of no parameters, the largest page, and some of those that the list is asked by, each with names. */
  queries(): readonly (readonly [query: Values, names: readonly string[]])[] {
    const { random } = this.#proof;
    const some = this.#proof.some([...new ListCases(this.#proof, this.#resource).queries()], MAX_QUERIES);
    return [
      [{ limit: listOf(this.#resource).maximumLimit }, this.#names],
      ...[{}, ...some.map(([, { count: _, ...query }]) => query)].map(
        (query) => [query, random.sample(this.#names, 2)] as const,
      ),
    ];
  }

  /** Names that are not offered. */
  faults(): readonly string[] {
    const deepest = this.#names.toSorted((a, b) => b.split('.').length - a.split('.').length)[0];
    return ['', 'nothing', '__proto__', `${deepest}.nothing`];
  }

  async run(
    caller: Caller,
    { rest: asked, graphql: { route, params } }: Read,
    names: readonly string[],
    query: Values = {},
    isFaulty = false,
  ): Promise<void> {
    const { rest, graphql, tools } = this.#proof;
    const label = `${JSON.stringify(query)} with ${names.join()}`;
    const step: Step = { ...asked, caller, label, isFaulty, query: { ...query, [INCLUDE_PARAMETER]: names } };
    const calls: ComparedCall[] = [];
    if (graphql && route && !isFaulty) calls.push(this.#graphql(graphql, route, { ...step, params, query }, names));
    const tool = tools?.of(operationOf(step), caller);
    if (tools && tool) calls.push(toolCall(step, tool, tools.request(step, tool)));
    if (calls.length === 0) return;
    const operationId = this.#operationId;
    const outcome = await this.#proof.exchange({ step, calls, rest: rest.request(step), name: 'include', operationId });
    if (outcome.kind !== 'data') return;
    for (const name of names)
      if (isShown(outcome.value, name.split('.'), (found) => rowsOf(found).length > 0)) this.#unmet.delete(name);
  }

  /** Reports what was never included. */
  skipUnmet(): void {
    const names = [...this.#unmet].join(', ');
    if (names !== '') this.#proof.record.skip(`${this.#operationId}: no row has ${names} to include`);
  }

  #graphql(graphql: GraphqlRequests, route: Route, step: Step, names: readonly string[]): ComparedCall {
    const { field } = route.fields.at(-1)!;
    const isList = step.action === 'list';
    const type = isList ? graphql.translators.selection.nodesOf(field.type) : field.type;
    const selections = [true, false].map((isWhole) => {
      const row = selectionOf(`id ${this.#selected(graphql, type, names, isWhole)}`);
      return isList ? selectionOf(`nodes ${row} ${PAGE_INFO}`) : row;
    });
    const { request, selection } = graphql.requestFor(step, route, selections);
    const isWhole = selection === selections[0];
    const rowOf = (row: Values): object => ({
      id: String(row['id']),
      ...this.#included(graphql, type, names, row, isWhole),
    });
    const pathsOf = new Map(names.map((name) => [name, this.#fieldsOf(graphql, type, name.split('.'))]));
    const isCountedOtherwise = route.fields.length > 1 || this.#isCountedOtherwise(graphql, type, names);
    return {
      protocol: 'GraphQL',
      subject: `${routeName(route)} with ${names.join()}`,
      request,
      isThroughParent: route.fields.length > 1,
      outcome: (reply) => outcomeOf({ ...step, action: 'get' }, route, reply),
      expected: (value) => (isList ? connectionOf(value as Values, rowOf, NEXT_CURSOR) : rowOf(value as Values)),
      argument: (error, code) => argumentOf(error, code, step, route, graphql.translators),
      isSame: (rest, other) => {
        if (isTooDear(rest) || isTooDear(other))
          return isCountedOtherwise || (rest.kind === 'error' && isTooDear(other));
        // REST refuses before it looks for the row, or for that above.
        if (rest.kind === 'error' && isNotFound(other)) return route.fields.length > 1 || isRefused(rest);
        if (rest.kind === 'error') return isRefused(rest) && isRefusedAlike(rest, other, pathsOf);
        return isNotFound(other) && names.some((name) => isNull(Object(rest).value, name.split('.')));
      },
    };
  }

  /** Whether GraphQL counts otherwise than by objects, or does not allow as many levels. */
  #isCountedOtherwise(graphql: GraphqlRequests, type: GraphQLOutputType, names: readonly string[]): boolean {
    const levels = LEVELS_AROUND + 2 * Math.max(...names.map((name) => name.split('.').length));
    return levels > graphql.descriptor.limits.depth || this.#isWeighted(graphql, type, names);
  }

  #isWeighted(graphql: GraphqlRequests, type: GraphQLOutputType, names: readonly string[]): boolean {
    const members = this.#members(graphql, type, names);
    return members.some(({ isWeighted, rows, inner }) => isWeighted || this.#isWeighted(graphql, rows, inner));
  }

  /** The names as fields of a type, each with those beside its rows. */
  #members({ descriptor, translators }: GraphqlRequests, type: GraphQLOutputType, names: readonly string[]): Member[] {
    const holder = getNamedType(type);
    const fields = isObjectType(holder) ? Object.values(holder.getFields()) : [];
    return fields.flatMap((field) => {
      const kind = descriptor.fields[`${holder.name}.${field.name}`]?.kind;
      if (kind !== 'reference' && kind !== 'connection') return [];
      const name = this.#resource.nameCase === 'snake_case' ? snakeCase(field.name) : field.name;
      const own = names.filter((path) => path.split('.')[0] === name);
      const inner = own.flatMap((path) => (path === name ? [] : [path.slice(name.length + 1)]));
      const isMany = kind === 'connection';
      const rows = isMany ? translators.selection.nodesOf(field.type) : field.type;
      const isWeighted = field.astNode?.directives?.some((directive) => directive.name.value === 'cost') ?? false;
      return own.length === 0 ? [] : [{ name, field: field.name, isMany, isWeighted, rows, inner }];
    });
  }

  /** The fields that a path of names stands for. */
  #fieldsOf(graphql: GraphqlRequests, type: GraphQLOutputType, [name, ...more]: readonly string[]): readonly string[] {
    if (name === undefined) return [];
    return this.#members(graphql, type, [name]).flatMap(({ field, rows }) => [
      field,
      ...this.#fieldsOf(graphql, rows, more),
    ]);
  }

  /** Selects what is included: rows with all their properties, or with ids alone. */
  #selected(graphql: GraphqlRequests, type: GraphQLOutputType, names: readonly string[], isWhole: boolean): string {
    const texts = this.#members(graphql, type, names).map(({ field, isMany, rows, inner }) => {
      const own = isWhole ? graphql.translators.selection.of(rows).slice(1, -1) : 'id';
      const row = selectionOf(`${own} ${this.#selected(graphql, rows, inner, isWhole)}`);
      return `${field} ${isMany ? selectionOf(`nodes ${row} ${PAGE_INFO}`) : row}`;
    });
    return texts.join(' ');
  }

  /** What GraphQL must answer in these fields where REST answers the row. */
  #included(
    graphql: GraphqlRequests,
    type: GraphQLOutputType,
    names: readonly string[],
    row: Values,
    isWhole: boolean,
  ): object {
    const members = this.#members(graphql, type, names).map(({ name, field, isMany, rows, inner }) => {
      const rowOf = (one: Values): object => ({
        ...(isWhole ? Object(graphql.translators.selection.project(rows, one)) : { id: String(one['id']) }),
        ...this.#included(graphql, rows, inner, one, isWhole),
      });
      const own = row[name] as Values | null | undefined;
      if (own === undefined) return [field, 'nothing'];
      return [field, own && (isMany ? connectionOf(own, rowOf, this.#nextCursor) : rowOf(own))];
    });
    return Object.fromEntries(members);
  }
}

/** Levels of a document around the fields of what is included: a list, its nodes, and their ids. */
const LEVELS_AROUND = 3;
const PAGE_INFO = 'pageInfo { endCursor hasNextPage }';
/** Of a page that was read as that of a list. */
const NEXT_CURSOR = 'nextCursor';

const selectionOf = (fields: string): string => `{ ${fields} }`;

/** A page of REST in the form of `outcomeOf`. */
const connectionOf = ({ data, page }: Values, rowOf: (row: Values) => object, nextCursor: string): object => ({
  nodes: (data as readonly Values[]).map(rowOf),
  next: (page as Values)[nextCursor],
});

/** The outcome of a route, whose pages have the cursor of the next one; a refusal may be that of a field below. */
function outcomeOf(step: Step, route: Route, reply: WireReply): Outcome {
  const { data, errors = [] } = reply.json ?? {};
  // biome-ignore lint/suspicious/noExplicitAny: a server may answer anything
  const below = errors.filter((error: any) => error?.path?.length > route.fields.length);
  // A reference to a row that is hidden is null; its error, where the type allows null, stands beside the data.
  const isWhole = data && below.length === errors.length && below.every(isHiddenRow);
  const [{ extensions: { code = '', status = 0 } = {}, message = '' } = {}] = below;
  if (below.length > 0 && !(isWhole && valueAt(data, route) !== null))
    return { kind: 'error', code, status, message, errors: undefined, isEarly: false };
  const outcome = graphqlOutcome(step, route, isWhole ? { ...reply, json: { data } } : reply);
  return outcome.kind === 'data' ? { ...outcome, value: withNext(outcome.value) } : outcome;
}

function withNext(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNext);
  if (typeof value !== 'object' || value === null) return value;
  const { pageInfo, ...others } = value as { readonly pageInfo?: { readonly hasNextPage?: boolean } & Values };
  const known = Object.fromEntries(Object.entries(others).map(([name, one]) => [name, withNext(one)]));
  if (pageInfo === undefined) return known;
  return typeof pageInfo?.hasNextPage === 'boolean'
    ? { ...known, next: pageInfo.hasNextPage ? pageInfo['endCursor'] : null }
    : { ...known, pageInfo };
}

// biome-ignore lint/suspicious/noExplicitAny: a server may answer anything
const isHiddenRow = (error: any): boolean => error.extensions?.code === 'NOT_FOUND';

/** What the last field of a route is answered. */
const valueAt = (data: Values, { fields }: Route): unknown =>
  fields.reduce((at: Values | null | undefined, { name }) => at?.[name] as Values | null, data);

const isNotFound = (outcome: Outcome): boolean => outcome.kind === 'error' && outcome.code === 'NOT_FOUND';
const isTooDear = (outcome: Outcome): boolean => outcome.kind === 'error' && outcome.code === 'LIMIT_EXCEEDED';

/** Whether a request is refused for what it includes. */
const isRefused = ({ code, errors = [] }: ErrorOutcome): boolean =>
  code === 'UNAUTHENTICATED' || errors.some(({ parameter }) => parameter === INCLUDE_PARAMETER);

/** Whether GraphQL refuses the same: as soon as a row has it, since a field without a row above it is not asked for. */
function isRefusedAlike(
  { code, errors = [] }: ErrorOutcome,
  other: Outcome,
  pathsOf: ReadonlyMap<string, readonly string[]>,
): boolean {
  if (other.kind !== 'data') return other.kind === 'error' && other.code === code;
  const refused = errors.find(({ parameter }) => parameter === INCLUDE_PARAMETER);
  const named = [...pathsOf].filter(([path]) => refused?.detail.endsWith(` ${path.split('.').at(-1)}`) ?? true);
  return named.some(([, fields]) => !isShown(other.value, fields, () => true));
}

/** Whether some row has something under a path of names that passes the test. */
function isShown(value: unknown, [name = '', ...more]: readonly string[], test: (found: Values) => boolean): boolean {
  return rowsOf(value as Values).some((row) => {
    const found = row[name] as Values | null | undefined;
    return found != null && (more.length === 0 ? test(found) : isShown(found, more, test));
  });
}

/** Whether some row has null under a path of names. */
const isNull = (value: unknown, [name = '', ...more]: readonly string[]): boolean =>
  rowsOf(value as Values).some((row) => row[name] === null || (more.length > 0 && isNull(row[name], more)));

/** The rows of a page or of a connection, or one row itself. */
const rowsOf = (value: Values): readonly Values[] =>
  ((value['data'] ?? value['nodes']) as readonly Values[] | undefined) ?? [value];
