import { expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { contractOf, startCompiled } from '../../support/service.ts';

it('a schema that the compiler has judged is not judged again at the start, nor at the first request', async () => {
  const contract = await contractOf('library');
  const { graphql } = contract;
  if (!graphql) throw new Error('The library has a schema.');
  // What would be refused: a name of introspection, and a directive that nobody has defined.
  const sdl = `${graphql.sdl}\ntype __Odd @unknown {\n  a: String\n}\n`;
  const [database] = databases;
  if (!database) throw new Error('SQLite is always there.');
  const service = await startCompiled({ ...contract, graphql: { ...graphql, sdl } }, database);
  expect(await service.graphql('{ authors { nodes { id } } }')).toMatchObject({ data: { authors: { nodes: [] } } });
  await service.close();
});
