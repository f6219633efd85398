import { expect, it } from 'vitest';
import type { FieldDescriptor, GraphqlDescriptor } from '../../../src/descriptor/graphql.ts';
import type { Action, PropertyDescriptor, ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { keys } from '../../../src/proving/harness/callers.ts';
import type { WireReply, WireRequest } from '../../../src/proving/harness/request.ts';
import { type Defect, START } from '../../../src/proving/harness/servers.ts';
import { prove } from '../../../src/proving/proof/prove.ts';
import type { ServerOptions } from '../../../src/runtime/server.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { exchangeHandlers } from '../../support/exchange-handlers.ts';
import { contractOf } from '../../support/service.ts';
import { oneIn } from '../../support/thorough.ts';

type AnyField = FieldDescriptor & { readonly arguments?: unknown };

const DAY_MS = 86_400_000;

interface Seeded extends Defect {
  readonly finds: RegExp;
  /** `library` if left out. */
  readonly contract?: 'exchange' | 'payroll' | 'practice' | 'tracker' | 'workshop';
}

/** One thing each that only the server has on which GraphQL is asked. */
const defects: readonly Seeded[] = [
  {
    name: "others' rows can be read",
    options: resource('loans', ({ owner, ...rest }) => ({ ...rest, owner: { ...owner!, reads: 'anyone' } })),
    finds: /REST answers 404 NOT_FOUND, GraphQL data|the data differ/,
  },
  {
    name: 'the scope that lifts the owner rule does not',
    options: resource('loans', ({ owner, ...rest }) => ({ ...rest, owner: { ...owner!, scope: 'no:scope' } })),
    finds: /REST answers data, GraphQL 404 NOT_FOUND|the data differ/,
  },
  {
    name: 'a mutation asks for no scope',
    options: resource('authors', withAccess('update')),
    finds: /REST answers 403 FORBIDDEN, GraphQL data/,
  },
  {
    name: 'an expired token is good',
    options: (options) => ({
      ...options,
      authentication: { keys, clock: () => START.getTime() - DAY_MS },
    }),
    finds: /REST answers 401 UNAUTHENTICATED, GraphQL data/,
  },
  { name: 'errors have no code', reply: text(/"code":"NOT_FOUND",/g, ''), finds: /an error without code/ },
  {
    name: 'a code has another status',
    options: ({ contract, ...options }) => {
      const known = { code: 'NOT_FOUND', status: 410, title: 'Gone', description: 'Gone.', retryable: false };
      return { ...options, contract: { ...contract, errors: { ...contract.errors, NOT_FOUND: known } } };
    },
    finds: /the statuses differ: REST 404, GraphQL 410/,
  },
  {
    name: 'faults are told of other places',
    reply: text(/"argument":"input\./g, '"argument":"'),
    finds: /the locations of errors differ/,
  },
  {
    name: 'a default is another',
    options: sdl('isReference: Boolean = false', 'isReference: Boolean = true'),
    finds: /isReference/,
  },
  {
    name: 'a page is shorter by default',
    options: sdl(/first: Int = 20/g, 'first: Int = 2'),
    finds: /the data differ/,
  },
  {
    name: 'an order is the other way round',
    options: descriptor((graphql) => ({
      ...graphql,
      sorts: { ...graphql.sorts, AuthorSort: { ...graphql.sorts['AuthorSort'], NAME_ASC: '-name', NAME_DESC: 'name' } },
    })),
    finds: /authors list|the data differ/,
  },
  {
    name: 'an operator of a filter is not applied',
    options: ({ store, ...options }) => ({ ...options, store: withoutOperator(store, 'gte') }),
    finds: /the data differ/,
  },
  {
    name: 'conditions of a filter are joined by `and` in the place of `or`',
    contract: 'tracker',
    request: variables((given) => JSON.parse(JSON.stringify(given).replaceAll('"or":', '"and":'))),
    finds: /the data differ/,
  },
  {
    name: 'the expected version is not heeded',
    request: variables(({ ifVersion: _, ...rest }) => rest),
    finds: /REST answers 412 PRECONDITION_FAILED, GraphQL data/,
  },
  {
    name: 'null does not clear',
    request: variables((given) => JSON.parse(JSON.stringify(given), (_, value) => value ?? undefined)),
    finds: /the data differ|REST answers|the codes differ/,
  },
  {
    name: 'every move of a state is legal',
    options: resource('books', (book) => ({ ...book, properties: book.properties.map(withoutMoves) })),
    finds: /REST answers 409 ILLEGAL_TRANSITION, GraphQL data/,
  },
  {
    name: 'a custom field gives its operation nothing',
    contract: 'exchange',
    options: descriptor((graphql) => ({
      ...graphql,
      fields: Object.fromEntries(
        Object.entries(graphql.fields).map(([coordinate, { arguments: _, ...field }]: [string, AnyField]) => [
          coordinate,
          field as FieldDescriptor,
        ]),
      ),
    })),
    finds: /REST answers data, GraphQL 400 VALIDATION_FAILED/,
  },
  { name: 'times are rendered otherwise', reply: text(/\.000Z/g, 'Z'), finds: /the data differ/ },
  {
    name: 'what is kept is not what is answered',
    options: ({ store, ...options }) => ({ ...options, store: losing(store, 'country') }),
    finds: /the rows of authors differ|the data differ/,
  },
  { name: 'events come late', event: () => 1000, finds: /the events differ/ },
  { name: 'events get lost', event: () => undefined, finds: /the events differ/ },
  {
    name: 'the rules of rows are forgotten',
    contract: 'practice',
    options: resource('patients', ({ rowAccess: _, ...rest }) => rest),
    finds: /REST answers 404 NOT_FOUND, GraphQL data|the data differ/,
  },
  {
    name: 'an alternative of a rule is forgotten',
    contract: 'practice',
    options: resource('patients', (patient) => ({
      ...patient,
      rowAccess: { ...patient.rowAccess, read: patient.rowAccess!.read!.filter(({ scope }) => scope === undefined) },
    })),
    finds: /REST answers data, GraphQL 404 NOT_FOUND|the data differ/,
  },
  {
    name: 'only reading has rules',
    contract: 'practice',
    options: resource('patients', (patient) => ({ ...patient, rowAccess: { read: patient.rowAccess!.read! } })),
    finds: /REST answers 403 FORBIDDEN, GraphQL data/,
  },
  {
    name: 'no server knows the rules of rows',
    contract: 'practice',
    options: resource('patients', ({ rowAccess: _, ...rest }) => rest),
    isEverywhere: true,
    finds: /by the rules, \w+ may not read/,
  },
  {
    name: 'no server keeps the rows of a tenant to itself',
    contract: 'workshop',
    options: ({ store, ...options }) =>
      resource('machines', ({ rowAccess: _, ...rest }) => rest)({ ...options, store: withoutWall(store) }),
    isEverywhere: true,
    finds: /by the rules, \w+ may not read/,
  },
  {
    name: 'a key finds the row of any tenant',
    contract: 'workshop',
    options: resource('machines', ({ tenant: _, ...rest }) => rest),
    finds: /REST answers 404 NOT_FOUND, GraphQL data/,
  },
  {
    name: 'what is hidden of rows is shown',
    contract: 'payroll',
    options: resource('employees', withoutFieldRules('read')),
    finds: /REST answers 403 FORBIDDEN, GraphQL data|the data differ/,
  },
  {
    name: 'no server hides anything of rows',
    contract: 'payroll',
    options: resource('employees', withoutFieldRules('read')),
    isEverywhere: true,
    finds: /by the rules, [\w ]+ may not (read|ask by) Employee\.\w+, but/,
  },
  {
    name: 'no server knows who may write what',
    contract: 'payroll',
    options: resource('employees', withoutFieldRules('write')),
    isEverywhere: true,
    finds: /by the rules, [\w ]+ may not write Employee\.\w+, but did/,
  },
  {
    name: 'no server tells of anything',
    event: () => undefined,
    isEverywhere: true,
    finds: /anonymous receives \[\] from authorCreated instead of \[\{/,
  },
];

it.each(oneIn(3, defects))(
  'a difference is found where $name',
  async ({ finds, contract: name = 'library', ...defect }) => {
    const handlers = name === 'exchange' ? exchangeHandlers : {};
    const record = await prove({ contract: await contractOf(name), handlers, samples: 60, isBrief: true, defect });
    expect(record.differed).toBeGreaterThan(0);
    expect(record.differences.map(({ difference }) => difference).join('\n')).toMatch(finds);
  },
);

type Change = (options: ServerOptions) => ServerOptions;

function resource(key: string, change: (resource: ResourceDescriptor) => ResourceDescriptor): Change {
  return ({ contract, ...options }) => {
    const resources = contract.resources.map((one) => (one.key === key ? change(one) : one));
    return { ...options, contract: { ...contract, resources } };
  };
}

function withAccess(action: Action) {
  return ({ actions, ...rest }: ResourceDescriptor): ResourceDescriptor => {
    const access = { anyOf: [{ schemes: [{ name: 'bearer', scopes: [] }] }] };
    return { ...rest, actions: { ...actions, [action]: { ...actions[action]!, access } } };
  };
}

function withoutFieldRules(action: 'read' | 'write') {
  return ({ properties, ...rest }: ResourceDescriptor): ResourceDescriptor => ({
    ...rest,
    properties: properties.map(({ access, ...property }) => {
      const { [action]: _, ...others } = access ?? {};
      return access ? { ...property, access: others } : property;
    }),
  });
}

function withoutMoves({ transitions, ...rest }: PropertyDescriptor): PropertyDescriptor {
  return rest;
}

function sdl(from: string | RegExp, to: string): Change {
  return ({ contract, ...options }) => {
    const graphql = contract.graphql!;
    return { ...options, contract: { ...contract, graphql: { ...graphql, sdl: graphql.sdl.replace(from, to) } } };
  };
}

function descriptor(change: (graphql: GraphqlDescriptor) => GraphqlDescriptor): Change {
  return ({ contract, ...options }) => {
    const graphql = contract.graphql!;
    const changed = { ...graphql, descriptor: change(graphql.descriptor) };
    return { ...options, contract: { ...contract, graphql: changed } };
  };
}

function withoutOperator(store: Store, operator: string): Store {
  const faulty: Store = {
    ...store,
    list: (query) =>
      store.list({
        ...query,
        conditions: query.conditions.filter((one) => one.kind !== undefined || one.operator !== operator),
      }),
    reads: () => faulty,
  };
  return faulty;
}

/** The storage keeps no statement within a tenant. */
function withoutWall(store: Store): Store {
  return {
    ...store,
    reads: (position) => store.reads(position),
    within: () => store,
    transaction: (work, isolation, onCommit) => store.transaction(work, isolation, onCommit),
  };
}

/** Answers what was written, and keeps something else. */
function losing(store: Store, property: string): Store {
  return {
    ...store,
    transaction: (work, ...rest) =>
      store.transaction(
        (transaction) =>
          work({
            unlocked: transaction.unlocked,
            within: () => transaction,
            whereReferred: () => transaction,
            deferReferences: () => transaction.deferReferences(),
            claim: (key) => transaction.claim(key),
            recall: (...args) => transaction.recall(...args),
            remember: (...args) => transaction.remember(...args),
            importInternalData: (data) => transaction.importInternalData(data),
            get: (...args) => transaction.get(...args),
            list: (query) => transaction.list(query),
            count: (...args) => transaction.count(...args),
            getEach: (...args) => transaction.getEach(...args),
            listEach: (query) => transaction.listEach(query),
            countEach: (group) => transaction.countEach(group),
            totals: (query) => transaction.totals(query),
            meetEach: (...args) => transaction.meetEach(...args),
            insert: (...args) => transaction.insert(...args),
            insertAll: (...args) => transaction.insertAll(...args),
            delete: (...args) => transaction.delete(...args),
            deleteEach: (...args) => transaction.deleteEach(...args),
            update: (key, row, changed, conditions) =>
              transaction.update(
                key,
                row,
                changed.filter((name) => name !== property),
                conditions,
              ),
          }),
        ...rest,
      ),
  };
}

function text(from: RegExp, to: string): (reply: WireReply) => WireReply {
  return ({ status, text: answered }) => {
    const changed = answered.replaceAll(from, to);
    return { status, text: changed, json: changed === '' ? undefined : JSON.parse(changed) };
  };
}

type Variables = Record<string, unknown>;

function variables(change: (given: Variables) => unknown): (request: WireRequest) => WireRequest {
  return (request) => {
    const body = JSON.parse(request.body!);
    return { ...request, body: JSON.stringify({ ...body, variables: change(body.variables) }) };
  };
}
