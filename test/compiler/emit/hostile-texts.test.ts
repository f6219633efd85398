import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';
import { hostileCats } from '../../support/hostile-contract.ts';

/** Code of a module that has the name of a hostile text, or what makes the module no program. */
function codeOf(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const { parseDiagnostics = [] } = source as { parseDiagnostics?: readonly ts.Diagnostic[] };
  const found = parseDiagnostics.map(({ messageText }) => `${path}: ${String(messageText)}`);
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text.includes('HOSTILE')) found.push(`${path}: ${node.text}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('a hostile text of a contract is no code of any emitted module, and no page of the documentation runs it', async () => {
  await withFolder(await hostileCats(), async (contracts) => {
    const [out, docs] = [join(contracts, 'generated'), join(contracts, 'docs')];
    for (const [script, folder] of [
      ['generate', out],
      ['docs', docs],
    ] as const) {
      const { code, stderr } = await runHere(`scripts/${script}.ts`, ['--contracts', contracts, '--out', folder]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
    const modules = globSync('**/*.{ts,js}', { cwd: out });
    expect(modules.length).toBeGreaterThan(20);
    for (const path of modules) expect(codeOf(path, await readFile(join(out, path), 'utf8'))).toEqual([]);
    for (const path of ['clients/openapi.json', 'clients/schema.graphql'])
      expect(await readFile(join(out, path), 'utf8')).not.toContain('*/ HOSTILE1');
    for (const path of globSync('**/*.html', { cwd: docs }))
      expect(await readFile(join(docs, path), 'utf8')).not.toContain('<script>HOSTILE8');
  });
});
