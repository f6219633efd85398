import { readFile } from 'node:fs/promises';
import { type Compiled, compileContract } from '../../src/compiler/compile-contract.ts';
import { withFolder } from './folder.ts';

const NAMES = /\b(?:createdAt|updatedAt|nextCursor|totalCount|keeperId|productId|reviewId|shelfId|supplierId)\b/g;
const snake = (name: string): string => name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);

/** The depot, whose resources have keys in place of ids and beside them. Its SDL is the same in both cases. */
export async function depotIn(nameCase: 'camelCase' | 'snake_case', library?: string): Promise<Compiled> {
  const [document, sdl] = await Promise.all(
    ['openapi.yaml', 'schema.graphql'].map((name) => readFile(`test/fixtures/depot/${name}`, 'utf8')),
  );
  const written =
    nameCase === 'camelCase'
      ? document!
      : document!
          .replaceAll(NAMES, snake)
          .replace('  title: Depot', '  title: Depot\n  x-naming: { case: snake_case }');
  return withFolder({ 'openapi.yaml': written, 'schema.graphql': sdl! }, (folder) => compileContract(folder, library));
}
