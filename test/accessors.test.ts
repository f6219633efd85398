import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Object literals with accessors, as `file:line`, and how many there are of any kind. */
function literalsIn(path: string): { readonly withAccessors: readonly string[]; readonly count: number } {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest);
  const withAccessors: string[] = [];
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      count++;
      if (node.properties.some(ts.isAccessor))
        withAccessors.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return { withAccessors, count };
}

it('accessors are those of classes: those of each object literal keep what they close over until a full collection', async () => {
  const found: string[] = [];
  let count = 0;
  for await (const path of glob('src/runtime/**/*.ts', { cwd: root })) {
    const literals = literalsIn(path);
    found.push(...literals.withAccessors);
    count += literals.count;
  }
  expect(found).toEqual([]);
  expect(count).toBeGreaterThan(1_000);
});
