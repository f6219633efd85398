import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';

it('a contract that refers to files beside its folder is synchronised as any other', () =>
  withFolder({ 'package.json': '{}', 'shared/Colour.yaml': 'type: string\nenum: [BLACK, WHITE]\n' }, async (folder) => {
    const contracts = join(folder, 'contracts');
    await cp('test/fixtures/cats', contracts, { recursive: true });
    const [openapi, sdl] = [join(contracts, 'openapi.yaml'), join(contracts, 'cats.graphql')];
    const text = await readFile(openapi, 'utf8');
    await writeFile(openapi, text.replace(/( {4}Colour:)\n.*\n.*\n/, '$1 { $ref: ../shared/Colour.yaml }\n'));
    await writeFile(sdl, (await readFile(sdl, 'utf8')).replace(/ {2}(?:bornOn: Date|GINGER|TABBY)\n/g, ''));
    const { code, stdout, stderr } = await runHere('scripts/sync.ts', [
      '--contracts',
      contracts,
      '--out',
      join(folder, 'generated'),
    ]);
    expect(stderr).toBe('');
    expect(stdout).toContain('cats.graphql');
    expect(code).toBe(0);
    expect((await readFile(sdl, 'utf8')).match(/bornOn: Date/g)).toHaveLength(3);
  }));
