import { expect, it } from 'vitest';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import type { FieldDescriptor } from '../../../src/descriptor/graphql.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { keys } from '../../../src/proving/harness/callers.ts';
import { type Defect, START } from '../../../src/proving/harness/servers.ts';
import { prove } from '../../../src/proving/proof/prove.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { called, descriptor, reading, resource, sdl, text, variables, withAccess } from '../../support/defects.ts';
import { exchangeHandlers } from '../../support/exchange-handlers.ts';
import { offeringAll } from '../../support/offering.ts';
import { contractOf } from '../../support/service.ts';
import { oneIn } from '../../support/thorough.ts';

type AnyField = FieldDescriptor & { readonly arguments?: unknown };

const DAY_MS = 86_400_000;

type Protocol = 'GraphQL' | 'MCP';

interface Seeded extends Defect {
  /** In the words of GraphQL. */
  readonly finds: RegExp;
  /** The protocols over which it can be planted; both if left out. */
  readonly over?: Protocol;
  /** `library` if left out. */
  readonly contract?: 'exchange' | 'payroll' | 'practice' | 'takings' | 'tracker' | 'workshop';
}

/** One thing each that only the server has which is asked over another protocol than REST. */
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
  {
    name: 'errors have no code',
    over: 'GraphQL',
    reply: text(/"code":"NOT_FOUND",/g, ''),
    finds: /an error without code/,
  },
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
    over: 'GraphQL',
    reply: text(/"argument":"input\./g, '"argument":"'),
    finds: /the locations of errors differ/,
  },
  {
    name: 'a default is another',
    over: 'GraphQL',
    options: sdl('isReference: Boolean = false', 'isReference: Boolean = true'),
    finds: /isReference/,
  },
  {
    name: 'a page is shorter by default',
    over: 'GraphQL',
    options: sdl(/first: Int = 20/g, 'first: Int = 2'),
    finds: /the data differ/,
  },
  {
    name: 'an order is the other way round',
    over: 'GraphQL',
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
    over: 'GraphQL',
    contract: 'tracker',
    request: variables((given) => JSON.parse(JSON.stringify(given).replaceAll('"or":', '"and":'))),
    finds: /the data differ/,
  },
  {
    name: 'the expected version is not heeded',
    over: 'GraphQL',
    request: variables(({ ifVersion: _, ...rest }) => rest),
    finds: /REST answers 412 PRECONDITION_FAILED, GraphQL data/,
  },
  {
    name: 'null does not clear',
    over: 'GraphQL',
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
    over: 'GraphQL',
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
  {
    name: 'tools answer errors without a code',
    over: 'MCP',
    reply: text(/\\"code\\":\\"NOT_FOUND\\",/g, ''),
    finds: /404|malformed|no such message|answers/,
  },
  {
    name: 'tools tell of faults in other places',
    over: 'MCP',
    reply: text(/\\"argument\\":\\"input\./g, '\\"argument\\":\\"'),
    finds: /the locations of errors differ/,
  },
  {
    name: 'tools join conditions of a filter by `and` in the place of `or`',
    contract: 'tracker',
    over: 'MCP',
    request: called((given) => JSON.parse(JSON.stringify(given).replaceAll('"or":', '"and":'))),
    finds: /the data differ/,
  },
  {
    name: 'tools do not heed the expected version',
    over: 'MCP',
    request: called(({ ifVersion: _, ...rest }) => rest),
    finds: /REST answers 412 PRECONDITION_FAILED, MCP data/,
  },
  {
    name: 'null does not clear by tools',
    over: 'MCP',
    request: called(({ input, ...rest }) =>
      Object(input) === input
        ? { ...rest, input: JSON.parse(JSON.stringify(input), (_, value) => value ?? undefined) }
        : { ...rest, input },
    ),
    finds: /the data differ|REST answers|the codes differ/,
  },
  {
    name: 'the tool of a custom operation gives it nothing',
    contract: 'exchange',
    over: 'MCP',
    request: called(() => ({})),
    finds: /REST answers data, MCP 400 VALIDATION_FAILED/,
  },
  {
    name: 'a tool answers what another one does',
    over: 'MCP',
    request: (request) => ({ ...request, body: request.body?.replace('"name":"getAuthor"', '"name":"getBook"') }),
    finds: /the data differ|REST answers data, MCP/,
  },
  { name: 'times are rendered otherwise', reply: text(/\.000Z/g, 'Z'), finds: /the data differ/ },
  {
    name: 'what is kept is not what is answered',
    options: ({ store, ...options }) => ({ ...options, store: losing(store, 'country') }),
    finds: /the rows of authors differ|the data differ/,
  },
  { name: 'events come late', over: 'GraphQL', event: () => 1000, finds: /the events differ/ },
  { name: 'events get lost', over: 'GraphQL', event: () => undefined, finds: /the events differ/ },
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
    name: 'no server counts only the rows that the caller sees',
    contract: 'takings',
    options: reading((store) => ({ ...store, totals: (query) => store.totals({ ...query, conditions: [] }) })),
    isEverywhere: true,
    finds: /the rows of the list have other totals/,
  },
  {
    name: 'totals count all rows over one protocol',
    contract: 'takings',
    options: reading((store) => ({ ...store, totals: (query) => store.totals({ ...query, conditions: [] }) })),
    finds: /the data differ/,
  },
  {
    name: 'no server tells of anything',
    over: 'GraphQL',
    event: () => undefined,
    isEverywhere: true,
    finds: /anonymous receives \[\] from authorCreated instead of \[\{/,
  },
];

const PROTOCOLS: readonly Protocol[] = ['GraphQL', 'MCP'];

const planted = PROTOCOLS.flatMap((protocol) =>
  defects.filter(({ over = protocol }) => over === protocol).map(({ over: _, ...defect }) => ({ ...defect, protocol })),
);

it.each(oneIn(3, planted))(
  'a difference is found over $protocol where $name',
  async ({ finds, protocol, contract: name = 'library', ...defect }) => {
    const handlers = name === 'exchange' ? exchangeHandlers : {};
    const contract = await (protocol === 'MCP' ? forAgents(name) : contractOf(name));
    const record = await prove({ contract, handlers, samples: 60, isBrief: true, defect });
    expect(record.differed).toBeGreaterThan(0);
    expect(record.differences.map(({ difference }) => difference).join('\n')).toMatch(
      new RegExp(finds.source.replaceAll('GraphQL', protocol)),
    );
  },
);

/** A contract that REST and agents alone are served. */
async function forAgents(name: string): Promise<CompiledContract> {
  const { graphql: _, ...contract } = await offeringAll(name);
  return contract;
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
            jobs: transaction.jobs,
            within: () => transaction,
            whereReferred: () => transaction,
            deferReferences: () => transaction.deferReferences(),
            claim: (key) => transaction.claim(key),
            lock: (keys) => transaction.lock(keys),
            lockReferences: (...args) => transaction.lockReferences(...args),
            recall: (...args) => transaction.recall(...args),
            remember: (...args) => transaction.remember(...args),
            importOwnRows: (pages) => transaction.importOwnRows(pages),
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
