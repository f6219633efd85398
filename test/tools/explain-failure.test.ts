import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { CommandFailure } from '../../src/tools/command-failure.ts';
import { explainFailure } from '../../src/tools/explain-failure.ts';
import { run } from '../support/command.ts';
import { withFolder } from '../support/folder.ts';

describe('why a command ended', () => {
  it('is the message of a failure, and any other error as it is', () => {
    expect(explainFailure(new CommandFailure('There is no x.'))).toBe('There is no x.');
    const error = new TypeError('a fault of the code');
    expect(explainFailure(error)).toBe(error);
  });

  it('names a file that cannot be written, and what was to be done with it', async () => {
    const error: unknown = await writeFile('/nowhere/at/all.json', '').catch((reason: unknown) => reason);
    expect(explainFailure(error)).toBe("ENOENT: no such file or directory, open '/nowhere/at/all.json'.");
  });

  it.each([
    [
      'imports what is not there',
      "import './coupon.ts';\n",
      /^\S+\/index\.ts imports \S+\/coupon\.ts, which does not exist\.\n$/,
    ],
    [
      'does not parse',
      'const a = {;\n',
      /^\S+\/index\.ts:1\nconst a = \{;\n +\^\n.*\nSyntaxError.*: Unexpected token.*\n$/,
    ],
    [
      'imports a name that is not exported',
      "import { x } from './other.ts';\n",
      /^\S+\/index\.ts:1\n.*\n.*\^\nSyntaxError: .* 'x'\n$/,
    ],
  ])('names the module that %s, and the place', (_, text, told) => {
    const handlers = `${text}export const handlers = {};\n`;
    return withFolder(
      { 'handlers/index.ts': handlers, 'handlers/other.ts': 'export const y = 1;\n' },
      async (folder) => {
        const flags = ['--handlers', `${folder}/handlers`];
        const { code, stderr } = await run('scripts/start.ts', flags, { DATA_DIR: folder, PORT: '0' });
        expect(code).toBe(1);
        expect(stderr).toMatch(told);
      },
    );
  });

  it('names a package that is not installed, and who imports it', () =>
    withFolder({ 'handlers/index.ts': "import 'not-installed';\nexport const handlers = {};\n" }, async (folder) => {
      const flags = ['--handlers', `${folder}/handlers`];
      const { code, stderr } = await run('scripts/start.ts', flags, { DATA_DIR: folder, PORT: '0' });
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^The package not-installed is not installed; \S+\/handlers\/index\.ts imports it\. Optional packages are left out, without a word, on a Node older than \d+, .+ on this Node \(v\d\S+\)\.\n$/,
      );
    }));
});
