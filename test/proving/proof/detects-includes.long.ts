import { expect, it } from 'vitest';
import { handlers } from '../../../src/handlers/index.ts';
import type { Defect } from '../../../src/proving/harness/servers.ts';
import { prove } from '../../../src/proving/proof/prove.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { called, descriptor, reading, resource, text, withAccess } from '../../support/defects.ts';
import { includingAll } from '../../support/including.ts';
import { contractOf } from '../../support/service.ts';

interface Seeded extends Defect {
  readonly finds: RegExp;
  /** The storefront if left out. */
  readonly contract?: 'orchard';
}

/** One thing each that is wrong with what is included, or with what it is compared with. */
const defects: readonly Seeded[] = [
  {
    name: 'nested lists are in another order',
    contract: 'orchard',
    options: reading((store) => ({
      ...store,
      listEach: (query) =>
        store.listEach({
          ...query,
          order: query.order.map(({ property, direction }) => ({
            property,
            direction: direction === 'asc' ? 'desc' : 'asc',
          })),
        }),
    })),
    finds: /the data differ: at/,
  },
  {
    name: 'what is included asks for no scope',
    options: resource('users', withAccess('get')),
    finds: /REST answers 403 FORBIDDEN, GraphQL data/,
  },
  {
    name: 'what is included costs nothing',
    options: descriptor((graphql) => ({ ...graphql, limits: { ...graphql.limits, cost: 100_000 } })),
    finds: /REST answers 400 LIMIT_EXCEEDED, GraphQL data/,
  },
  {
    name: 'tools include nothing',
    request: called(({ include: _, ...rest }) => rest),
    finds: /the data differ: .*over MCP/,
  },
  {
    name: 'tools accept any name',
    request: called((given) => (given['include'] ? { ...given, include: ['user'] } : given)),
    finds: /REST answers 400 VALIDATION_FAILED, MCP data/,
  },
  {
    name: 'the cursors of nested lists are left out',
    reply: text(/"hasNextPage":true/g, '"hasNextPage":false'),
    finds: /the data differ/,
  },
];

it.each(defects)('a difference is found where $name', async ({ finds, contract: name, ...defect }) => {
  const contract = await (name ? includingAll(name) : contractOf('contracts'));
  const own = name ? {} : { handlers: handlers as unknown as AnyHandlers };
  const { differences } = await prove({ contract, ...own, samples: 8, defect });
  const found = differences.filter(({ action }) => action === 'include').map(({ difference }) => difference);
  expect(found.join('\n')).toMatch(finds);
});
