import { expect, it } from 'vitest';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import type { Defect } from '../../../src/proving/harness/servers.ts';
import { prove } from '../../../src/proving/proof/prove.ts';
import type { ServerOptions } from '../../../src/runtime/server.ts';
import type { Condition, GroupQuery, Store } from '../../../src/runtime/storage/store.ts';
import { type Reads, reading, readingBy } from '../../support/defects.ts';
import { contractOf } from '../../support/service.ts';

interface Seeded extends Defect {
  readonly finds: RegExp;
}

const JOINS = ['memberships', 'follows'];
const COPY = 'groupsWithoutRules';

/** One thing each that is wrong with lists through another resource, and with nothing else. */
const defects: readonly Seeded[] = [
  {
    name: 'rows of a join that are hidden join in one protocol',
    options: reading(withJoins(([above]) => [above!])),
    finds: /the data differ/,
  },
  {
    name: 'rows of a join that are hidden join in both protocols',
    options: reading(withJoins(([above]) => [above!])),
    isEverywhere: true,
    finds: /by the rules, the caller may not read [-\w]+, which REST lists/,
  },
  {
    name: 'rows of a join that are hidden are counted in GraphQL',
    options: reading((store) => ({ ...store, countEach: withJoins(([above]) => [above!])(store).countEach })),
    finds: /the data differ: .*totalCount/,
  },
  {
    name: 'rows that are joined to others are listed in both protocols',
    options: reading(withJoins(([above, ...rules]) => [...(isOfGroup(above) ? [above!] : []), ...rules])),
    isEverywhere: true,
    finds: /the data differ|by the rules, the caller may not read [-\w]+, which REST lists/,
  },
  {
    name: 'the rule of what is listed is forgotten in both protocols',
    options: reading(joinedAlone),
    isEverywhere: true,
    finds: /by the rules, the caller may not read [-\w]+, which REST lists/,
  },
  {
    name: 'the row above may be hidden',
    options: belowRowsWithoutRules,
    isEverywhere: true,
    finds: /REST answers data, GraphQL 404 NOT_FOUND/,
  },
  {
    name: 'pages of GraphQL are in another order',
    options: reading((store) => ({
      ...store,
      listEach: (query) => store.listEach(query.through === undefined ? query : { ...query, order: turned(query) }),
    })),
    finds: /the data differ/,
  },
];

it.each(defects)('a difference is found where $name', async ({ finds, ...defect }) => {
  const record = await prove({ contract: await contractOf('club'), samples: 60, isBrief: true, defect });
  expect(record.differed).toBeGreaterThan(0);
  expect(record.differences.map(({ difference }) => difference).join('\n')).toMatch(finds);
});

/** Changes what is asked of the rows of a join, the first of which leads to the row above. */
function withJoins(change: (conditions: readonly Condition[]) => readonly Condition[]): (store: Reads) => Reads {
  const changed = (conditions: readonly Condition[]): readonly Condition[] =>
    conditions.map((one) => (isJoin(one) ? { ...one, conditions: change(one.conditions) } : one));
  return (store) => overConditions(store, changed);
}

/** What a list through a join asks of the rows that it lists is that they are joined. */
function joinedAlone(store: Reads): Reads {
  return overConditions(store, (conditions) => (conditions.some(isJoin) ? conditions.filter(isJoin) : conditions));
}

function overConditions(store: Reads, changed: (conditions: readonly Condition[]) => readonly Condition[]): Reads {
  const asked = <Q extends { readonly conditions: readonly Condition[] }>(query: Q): Q => ({
    ...query,
    conditions: changed(query.conditions),
  });
  return {
    get: (...args) => store.get(...args),
    list: (query) => store.list(asked(query)),
    count: (resource, conditions, most) => store.count(resource, changed(conditions), most),
    listEach: (query) => store.listEach(asked(query)),
    countEach: (query) => store.countEach(asked(query)),
    totals: (query) => store.totals(asked(query)),
  };
}

/** The condition that makes a list one through a join: nothing else of this contract looks at other rows. */
const isJoin = (one: Condition): one is Extract<Condition, { kind: 'related' }> =>
  one.kind === 'related' && JOINS.includes(one.resource);

const isOfGroup = (one: Condition | undefined): boolean => one?.kind === undefined && one?.operator === 'each';

const turned = ({ order }: GroupQuery): GroupQuery['order'] =>
  order.map(({ property, direction }) => ({ property, direction: direction === 'asc' ? 'desc' : 'asc' }));

/** Lists below groups take them from a resource that has the same rows, and no rules. */
function belowRowsWithoutRules({ contract, store, ...options }: ServerOptions): ServerOptions {
  const groups = contract.resources.find(({ key }) => key === 'groups')!;
  const { rowAccess: _, further: __, ...copy } = groups;
  const below = (resource: ResourceDescriptor): ResourceDescriptor => ({
    ...resource,
    ...(resource.further && {
      further: resource.further.map((one) =>
        one.kind === 'through' && one.below === 'groups' ? { ...one, below: COPY } : one,
      ),
    }),
  });
  const resources = [...contract.resources.map(below), { ...copy, key: COPY, actions: {} }];
  const get: Store['get'] = (resource, ...args) => store.get(resource === COPY ? 'groups' : resource, ...args);
  return { ...options, contract: { ...contract, resources }, store: readingBy(store, (reads) => ({ ...reads, get })) };
}
