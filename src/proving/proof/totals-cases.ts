import { isDeepStrictEqual } from 'node:util';
import { type GraphQLField, getNamedType, isObjectType } from 'graphql';
import { conventionNames } from '../../descriptor/convention-names.ts';
import type { TotalsField } from '../../descriptor/graphql.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import {
  declaredAction,
  listOf,
  propertyNamed,
  type ResourceDescriptor,
  type TotalsDescriptor,
  totalsOf,
} from '../../descriptor/resource.ts';
import { totalNamesOf } from '../../descriptor/totals.ts';
import type { Caller } from '../harness/callers.ts';
import { argumentOf, graphqlOutcome } from '../harness/graphql-outcome.ts';
import { type GraphqlRequests, graphqlRequest, pathArguments, type Route } from '../harness/graphql-requests.ts';
import { argumentsOfQuery } from '../harness/list-arguments.ts';
import { type ComparedCall, toolCall } from '../harness/protocols.ts';
import { fieldsOf } from '../harness/rest-requests.ts';
import { isConditions, type Outcome, type Step, withoutRows } from '../harness/step.ts';
import { ListCases } from './list-cases.ts';
import { parentOf } from './population.ts';
import type { Proof } from './proof.ts';

type Query = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, unknown>>;

/** Filters of a list that totals are asked with, at most. */
const MAX_FILTERS = 12;
const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia'];
const NO_ZONE = 'Mars/Olympus';

/** What is asked of totals. */
interface Asked {
  readonly groupBy?: readonly string[];
  readonly measures: readonly string[];
  readonly sort?: readonly string[];
  readonly limit?: number;
  readonly timeZone?: string;
  readonly filters?: Query;
}

/** Compares the totals of a resource over the protocols, and judges them by the rows that the list shows to the caller. */
export async function proveTotals(proof: Proof, resource: ResourceDescriptor): Promise<void> {
  const { owner, other, unrestricted, all } = proof.callers;
  for (const totals of totalsOf(resource)) {
    const params = parentOf(proof, resource, owner);
    if (!params) continue;
    const cases = new TotalsCases(proof, resource, totals);
    const most: Asked = { groupBy: totals.groups.slice(0, 1), measures: totals.measures, limit: cases.mostGroups };
    for (const caller of all) {
      await cases.run(caller, 'plain', params, { measures: totals.measures.slice(0, 1) });
      await cases.run(caller, 'all measures', params, most);
    }
    for (const [label, asked] of proof.some(cases.questions()))
      await cases.run(proof.random.pick([owner, other, unrestricted]), label, params, asked);
    for (const [label, asked] of cases.faults()) await cases.run(unrestricted, label, params, asked, true);
  }
}

/** The field of totals. */
interface FoundField {
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly own: TotalsField;
  readonly graphql: GraphqlRequests;
}

class TotalsCases {
  readonly #proof: Proof;
  readonly #resource: ResourceDescriptor;
  readonly #totals: TotalsDescriptor;
  readonly #field: FoundField | undefined;
  readonly #names: ReturnType<typeof conventionNames>;

  constructor(proof: Proof, resource: ResourceDescriptor, totals: TotalsDescriptor) {
    this.#proof = proof;
    this.#resource = resource;
    this.#totals = totals;
    this.#names = conventionNames(resource.nameCase);
    this.#field = fieldOf(proof, totals);
  }

  /** The largest `limit`. */
  get mostGroups(): number {
    const limit = this.#proof.rest.operation(this.#totals.operationId).parameters.find(({ name }) => name === 'limit');
    return Number(Object(limit?.schema).maximum ?? this.#totals.defaultLimit);
  }

  get #hasZones(): boolean {
    const { parameters } = this.#proof.rest.operation(this.#totals.operationId);
    return parameters.some(({ name }) => name === this.#names.timeZone);
  }

  /** Each group, measure and order, several together, and filters of the list. */
  questions(): readonly (readonly [string, Asked])[] {
    const { groups, measures, sorts } = this.#totals;
    const { random } = this.#proof;
    const limit = this.mostGroups;
    const some = (): Asked => ({ groupBy: random.sample(groups, 2), measures: random.sample(measures, 3), limit });
    const zones = this.#hasZones ? ZONES : [];
    const filters = [...new ListCases(this.#proof, this.#resource).queries()].flatMap(([label, query]) => {
      const { limit: _, sort: __, count: ___, cursor: ____, ...own } = query;
      return Object.keys(own).length > 0 ? [[label, own] as const] : [];
    });
    return [
      ...groups.map((group): readonly [string, Asked] => [
        `by ${group}`,
        {
          groupBy: [group],
          measures: random.sample(measures, 2),
          limit,
        },
      ]),
      ...measures.map((measure): readonly [string, Asked] => [measure, { measures: [measure] }]),
      ...sorts.map((sort): readonly [string, Asked] => {
        const key = sort.replace(/^-/, '');
        const groupBy = groups.includes(key) ? [key] : groups.slice(0, 1);
        return [`sort ${sort}`, { groupBy, measures: measures.slice(0, 1), sort: [sort], limit: 2 }];
      }),
      ...zones.map((timeZone): readonly [string, Asked] => [timeZone, { ...some(), timeZone }]),
      ...random
        .sample(filters, MAX_FILTERS)
        .map(([label, own]): readonly [string, Asked] => [label, { ...some(), filters: own }]),
    ];
  }

  faults(): readonly (readonly [string, Asked])[] {
    const { groups, measures, sorts } = this.#totals;
    const stray = sorts.find((sort) => groups.includes(sort.replace(/^-/, '')));
    return [
      ...(this.#hasZones ? [['an unknown zone', { measures: measures.slice(0, 1), timeZone: NO_ZONE }] as const] : []),
      ...(stray === undefined ? [] : [['a stray order', { measures: measures.slice(0, 1), sort: [stray] }] as const]),
      ['limit too large', { measures: measures.slice(0, 1), limit: this.mostGroups + 1 }],
      ['limit too small', { measures: measures.slice(0, 1), limit: 0 }],
    ];
  }

  async run(caller: Caller, label: string, params: Step['params'], asked: Asked, isFaulty = false): Promise<void> {
    const { rest, tools } = this.#proof;
    const { operationId } = this.#totals;
    const query = this.#query(asked);
    const request = rest.to(rest.operation(operationId), { params, query: this.#encoded(query) }, caller);
    const step: Step = { resource: withoutRows(this.#resource), action: 'get', caller, label, params, query, isFaulty };
    const calls: ComparedCall[] = [];
    if (this.#field) {
      const found = this.#field;
      const { name, field, own, graphql } = found;
      const route: Route = {
        operation: 'query',
        fields: [{ name, field, params: own.params, input: undefined, takesQuery: true }],
      };
      calls.push({
        protocol: 'GraphQL',
        subject: name,
        request: this.#graphql(found, params, asked, caller),
        isThroughParent: false,
        outcome: (reply) => graphqlOutcome({ action: 'get', resource: this.#resource }, route, reply),
        expected: (value) => this.#expected(found, value as Values, asked),
        argument: (error, code) =>
          this.#argument(error.parameter) ??
          argumentOf(
            error,
            code,
            { ...step, resource: this.#resource, query: asked.filters ?? {} },
            route,
            graphql.translators,
          ),
      });
    }
    const tool = tools?.of(operationId, caller);
    if (tools && tool)
      calls.push(
        toolCall(step, tool, tools.customRequest(tool, { parameters: { ...params, ...query } }, undefined, caller)),
      );
    const outcome = await this.#proof.exchange({ step, calls, rest: request, name: 'totals', operationId });
    const difference = await this.#judged(outcome, { caller, params, asked });
    if (difference === undefined) return;
    const exchange = {
      resource: this.#resource.key,
      action: 'totals',
      caller: caller.name,
      label,
      answers: [],
      difference,
    };
    this.#proof.record.add(exchange, outcome);
  }

  #query({ groupBy, measures, sort, limit, timeZone, filters }: Asked): Query {
    return {
      ...(groupBy && { [this.#names.groupBy]: groupBy }),
      measures,
      ...(sort && { sort }),
      ...(limit !== undefined && { limit }),
      ...(timeZone !== undefined && { [this.#names.timeZone]: timeZone }),
      ...filters,
    };
  }

  #encoded(query: Query): readonly string[] {
    return Object.entries(query).flatMap(([name, value]) =>
      Array.isArray(value) && value.length === 0
        ? []
        : fieldsOf(name, isConditions(this.#resource, name) ? JSON.stringify(value) : value),
    );
  }

  #argument(parameter: string | undefined): string | undefined {
    const own: Readonly<Record<string, string>> = {
      [this.#names.groupBy]: 'groupBy',
      [this.#names.timeZone]: 'timeZone',
      measures: 'nodes',
      limit: 'first',
      sort: 'sort',
    };
    return parameter === undefined ? undefined : own[parameter];
  }

  /** The fields of a group that stand for what is asked. */
  #fields({ own, graphql: { schema, translators } }: FoundField, { groupBy = [], measures }: Asked) {
    const type = schema.getType(own.type);
    const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
    return [...groupBy, ...measures].flatMap((name) => {
      const field = fields.find((one) => translators.spelling.property(own.type, one.name) === name);
      return field ? [{ name, field }] : [];
    });
  }

  #graphql(found: FoundField, params: Step['params'], asked: Asked, caller: Caller) {
    const { name, field, own, graphql } = found;
    const { descriptor, translators } = graphql;
    const argument = (one: string, value: unknown): Values =>
      value === undefined || (Array.isArray(value) && value.length === 0)
        ? {}
        : { [one]: translators.spelling.value(field.args.find((arg) => arg.name === one)?.type, value) };
    const values: Values = {
      ...pathArguments(field, own.params, params),
      ...argument('groupBy', asked.groupBy),
      ...argument('sort', asked.sort),
      ...argument('first', asked.limit),
      ...argument('timeZone', asked.timeZone),
      ...argumentsOfQuery(asked.filters ?? {}, field, this.#resource, descriptor, translators),
    };
    const given = field.args.filter((one) => one.name in values);
    const declared = given.map((one) => `$${one.name}: ${String(one.type)}`).join(', ');
    const passed = given.map((one) => `${one.name}: $${one.name}`).join(', ');
    const selected = [...new Set(this.#fields(found, asked).map((one) => one.field.name))].join(' ');
    const text = `query${declared && `(${declared})`} { ${name}${passed && `(${passed})`} { nodes { ${selected} } hasMore } }`;
    return graphqlRequest(text, values, caller.authorization);
  }

  /** What GraphQL must answer where REST answers a page. */
  #expected(found: FoundField, page: Values, asked: Asked): unknown {
    const { selection } = found.graphql.translators;
    const fields = this.#fields(found, asked);
    const nodes = (page['data'] as readonly Values[]).map((group) =>
      Object.fromEntries(fields.map(({ name, field }) => [field.name, selection.project(field.type, group[name])])),
    );
    return { nodes, hasMore: page[this.#names.hasMore] };
  }

  /** What is wrong with totals, where the rows of the list say something else; counts, numbers of values and sums of integers are judged. */
  async #judged(outcome: Outcome, { caller, params, asked }: { caller: Caller; params: Step['params']; asked: Asked }) {
    const { groupBy = [], measures, timeZone = 'UTC' } = asked;
    if (outcome.kind !== 'data' || timeZone !== 'UTC') return undefined;
    const page = outcome.value as Values;
    if (page[this.#names.hasMore] === true) return undefined;
    const known = totalNamesOf(this.#resource);
    const groups = groupBy.map((name) => ({ name, ...lookUp(known.groups, name) }));
    if (groups.some(({ period }) => period !== undefined && !(period in LENGTHS))) return undefined;
    const judged = measures.filter((name) => this.#isJudged(name));
    const rows = await this.#rows(caller, params, asked.filters ?? {});
    if (!rows) return undefined;
    const keyOf = (row: Values) =>
      groups.map(({ property, period }) => {
        const value = row[property] ?? null;
        if (period === undefined || value === null) return value;
        const text = String(value).slice(0, LENGTHS[period as keyof typeof LENGTHS]);
        return `${text}${'-01-01'.slice(text.length - 10)}`.slice(0, 10);
      });
    const gathered = Map.groupBy(rows, (row) => JSON.stringify(keyOf(row)));
    if (groups.length === 0 && rows.length === 0) gathered.set('[]', []);
    const expected = new Map(
      [...gathered].map(([key, some]) => [key, judged.map((name) => this.#measured(name, some))]),
    );
    const answered = new Map(
      (page['data'] as readonly Values[]).map((group) => [
        JSON.stringify(groupBy.map((name) => group[name] ?? null)),
        judged.map((name) => group[name]),
      ]),
    );
    if (isDeepStrictEqual(expected, answered)) return undefined;
    return `the rows of the list have other totals (${judged.join()} by ${groupBy.join() || 'nothing'}): ${JSON.stringify([...expected])}, not ${JSON.stringify([...answered])}`;
  }

  #isJudged(name: string): boolean {
    const { of, property = '' } = lookUp(totalNamesOf(this.#resource).measures, name);
    if (of === 'Count' || of === 'Distinct') return true;
    const { type } = propertyNamed(this.#resource.properties, property);
    return of === 'Sum' && (type === 'integer' || type === 'int64');
  }

  #measured(name: string, rows: readonly Values[]): unknown {
    const { of, property = '' } = lookUp(totalNamesOf(this.#resource).measures, name);
    const values = rows.flatMap((row) => (row[property] == null ? [] : [String(row[property])]));
    if (of === 'Count') return rows.length;
    if (of === 'Distinct') return new Set(values).size;
    return values.length === 0 ? null : String(values.reduce((sum, value) => sum + BigInt(value), 0n));
  }

  /** All rows that the list shows; undefined where it is refused. */
  async #rows(caller: Caller, params: Step['params'], filters: Query): Promise<readonly Values[] | undefined> {
    const { rest, servers } = this.#proof;
    const { nextCursor } = this.#names;
    const rows: Values[] = [];
    let cursor: unknown;
    do {
      const query = { ...filters, limit: listOf(this.#resource).maximumLimit, ...(cursor != null && { cursor }) };
      const operation = rest.operation(declaredAction(this.#resource, 'list').operationId);
      const reply = await servers.first.send(rest.to(operation, { params, query: this.#encoded(query) }, caller));
      if (reply.status !== 200) return undefined;
      const { data, page } = reply.json;
      rows.push(...data);
      cursor = page[nextCursor];
    } while (cursor != null);
    return rows;
  }
}

/** Characters of the text of a time that name its period. */
const LENGTHS = { Day: 10, Month: 7, Year: 4 } as const;

function fieldOf({ graphql }: Proof, { operationId }: TotalsDescriptor): FoundField | undefined {
  if (!graphql) return undefined;
  for (const found of graphql.further('totals', operationId))
    if (isObjectType(getNamedType(found.field.type))) return { ...found, graphql };
  return undefined;
}
