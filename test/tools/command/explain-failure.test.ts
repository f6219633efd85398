import { describe, expect, it } from 'vitest';
import { CommandFailure } from '../../../src/tools/command/command-failure.ts';
import { explainFailure } from '../../../src/tools/command/explain-failure.ts';
import { run } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';

describe('why a command ended', () => {
  it('is the message of a failure, and any other error as it is', () => {
    expect(explainFailure(new CommandFailure('There is no x.'))).toBe('There is no x.');
    const error = new TypeError('a fault of the code');
    expect(explainFailure(error)).toBe(error);
  });

  it('names a package that is not installed, and who imports it', () =>
    withFolder({ 'handlers/index.ts': "import 'not-installed';\nexport const handlers = {};\n" }, async (folder) => {
      const flags = ['--contracts', 'test/fixtures/cats', '--handlers', `${folder}/handlers`];
      const { code, stderr } = await run('scripts/start.ts', flags, { DATA_DIR: folder, PORT: '0' });
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^The package not-installed is not installed; \S+\/handlers\/index\.ts imports it\. .+\n$/,
      );
    }));
});
