import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import { databases } from '../../support/databases.ts';
import { withFolder } from '../../support/folder.ts';
import { contractOf, startCompiled, tokenOf } from '../../support/service.ts';
import { libraryFrom, typeErrors } from '../../support/type-check.ts';
import { all } from './support.ts';

const CALLER = `import { type Client, type Issue, issues, type Label, type LabelPage, labels } from './sdk/index.js';

export async function read(client: Client, { id }: Issue): Promise<readonly Label[]> {
  const page: LabelPage = await issues.labels.list(client, { issueId: id }, { name: 'a', sort: ['-name'] }).page();
  const found: Label[] = [];
  for await (const label of issues.labels.list(client, { issueId: id }, { limit: 1 })) found.push(label);
  for await (const { title } of labels.issues.list(client, { labelId: found[0]!.id }, { search: 'leak' })) console.log(title);
  // @ts-expect-error the list of labels takes no such parameter
  issues.labels.list(client, { issueId: id }, { colour: 'red' });
  // @ts-expect-error it is the issue whose labels are listed
  issues.labels.list(client);
  // @ts-expect-error what joins is created by its own resource
  issues.labels.create;
  return [...page.data, ...found];
}
`;

const compiled = async () => (await compileContract('test/fixtures/tracker', libraryFrom(0))).files!;

it('the client has lists through other resources below what they belong to', async () => {
  const sources = [...(await compiled())].filter(([path]) => /^(?:sdk|types)\/.*\.(?:ts|json)$/.test(path));
  const errors = await typeErrors({ ...Object.fromEntries(sources), 'caller.ts': CALLER });
  expect([...errors].filter(([, found]) => found.length > 0)).toEqual([]);
});

it.each(databases)('the client reads lists through other resources by their pages, on $name', async (database) => {
  const sdk = Object.fromEntries([...(await compiled())].filter(([path]) => path.startsWith('sdk/')));
  const service = await startCompiled(await contractOf('tracker'), database);
  await withFolder({ ...sdk, 'package.json': '{ "type": "module" }' }, async (folder) => {
    await symlink(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
    const { createClient, ...api } = await import(pathToFileURL(join(folder, 'sdk/index.js')).href);
    const sub = '01941f29-7c00-7a10-8c57-00000000000a';
    const token = tokenOf({ sub, scope: 'teams:write', claims: { tenant: 'acme' } });
    const client = createClient({ baseUrl: `http://127.0.0.1:${await service.listen()}/v1`, token });
    const team = await api.teams.create(client, { name: 'Engines' });
    await api.teams.members.create(client, { teamId: team.id }, { userId: sub, role: 'OWNER' });
    const project = await api.projects.create(client, {
      teamId: team.id,
      key: 'ONE',
      name: 'One',
      visibility: 'PRIVATE',
    });
    const { id } = await api.issues.create(client, {
      projectId: project.id,
      title: 'A leak',
      status: 'OPEN',
      priority: 1,
    });
    for (const name of ['a', 'b', 'c']) {
      const label = await api.labels.create(client, { projectId: project.id, name, colour: '#00ff00' });
      await api.issueLabels.create(client, { issueId: id, labelId: label.id });
    }
    const read = await all<{ name: string }>(
      api.issues.labels.list(client, { issueId: id }, { limit: 2, sort: ['-name'] }),
    );
    expect(read.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
    const list = api.issues.labels.list(client, { issueId: id }, { limit: 2 });
    const first = await list.page();
    const second = await list.page(first.page.nextCursor);
    expect(second.data).toHaveLength(1);
    expect(await list.page(second.page.previousCursor)).toEqual(first);
    const [found] = await all<{ id: string }>(
      api.issues.labels.list(client, { issueId: id }, { filter: { name: 'b' } }),
    );
    const titles = await all<{ title: string }>(
      api.labels.issues.list(client, { labelId: found!.id }, { search: 'leaks' }),
    );
    expect(titles.map(({ title }) => title)).toEqual(['A leak']);
  });
  await service.close();
});
