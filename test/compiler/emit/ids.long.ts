import { describe, expect, it } from 'vitest';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import type { Client } from '../../../src/readers/sdk/client.ts';
import { resource } from '../../../src/readers/sdk/resource.ts';
import { libraryFrom, typeErrors } from '../../support/type-check.ts';

const HANDLERS = `import type { Overrides } from '${libraryFrom(0)}';
import type { Resources } from './types/resources.ts';

export const overrides: Overrides<Resources> = {
  countries: { delete: async (id, { store }, next) => void ((await store.countries.get(id.toUpperCase())) ?? (await next())) },
  visits: {
    get: async (id, { store }, next) => {
      await store.visits.get(id + 1);
      // @ts-expect-error the id of a visit is a number
      await store.visits.get('7');
      return next();
    },
  },
  'visits.notes': {
    create: async (input, { store, params }, next) => {
      const visit = await store.visits.get(params.visitId);
      const note = await store['visits.notes'].get('9007199254740993');
      return next({ ...input, text: \`\${visit?.place} \${note?.text}\` });
    },
  },
};
`;

const CLIENT = `import { type Client, countries, visits } from './sdk/index.js';

export async function all(client: Client): Promise<unknown[]> {
  const visit = await visits.get(client, 7);
  // @ts-expect-error the id of a visit is a number
  await visits.get(client, '7');
  const note = await visits.notes.get(client, { visitId: visit.id, id: '9007199254740993' });
  return [await countries.get(client, 'FR'), await visits.delete(client, visit), note.id.length, visit.id.toFixed(0)];
}
`;

describe('ids', () => {
  it('have the types of the contract in all generated code', async () => {
    const { files } = await compileContract('test/fixtures/atlas', libraryFrom(0));
    const sources = Object.fromEntries([...files!].filter(([path]) => /\.(?:ts|json)$/.test(path)));
    const errors = await typeErrors({ ...sources, 'overrides.ts': HANDLERS, 'client.ts': CLIENT });
    expect([...errors].filter(([, found]) => found.length > 0)).toEqual([]);
  });

  it('find a resource for the client, whether they are texts or numbers', async () => {
    const asked: object[] = [];
    const request = async (
      _method: string,
      _path: string,
      { params }: { readonly params: { readonly path: object } },
    ) => {
      asked.push(params.path);
      return { data: '{}', response: new Response('{}') };
    };
    const visits = resource({ path: '/visits', idParameter: 'visitId' });
    for (const target of [7, '7', { id: 7 }]) await visits.get({ rest: { request } } as unknown as Client, target);
    expect(asked).toEqual([{ visitId: 7 }, { visitId: '7' }, { visitId: 7 }]);
  });
});
