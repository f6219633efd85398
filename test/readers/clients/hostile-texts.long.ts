import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withFolder } from '../../support/folder.ts';
import { hostileCats } from '../../support/hostile-contract.ts';
import { hasToolchain } from '../../support/toolchains.ts';
import { makeClient, sh } from './support.ts';

const hostileClient = async (language: 'python' | 'go' | 'java') =>
  withFolder(await hostileCats(), (contracts) => makeClient(language, contracts));

const PARSE = `import ast, glob, tomllib
tomllib.load(open("pyproject.toml", "rb"))
for path in glob.glob("**/*.py", recursive=True):
    for node in ast.walk(ast.parse(open(path, encoding="utf-8").read())):
        if isinstance(node, ast.Name) and "HOSTILE" in node.id:
            print(path, node.id)
`;

describe('a hostile text of a contract', () => {
  test.runIf(hasToolchain('python'))('is no code of the Python client', async () => {
    const folder = await hostileClient('python');
    expect(await sh(`python3 - <<'END'\n${PARSE}END`, folder)).toBe('');
  });

  test.runIf(hasToolchain('go'))('is no code of the Go client', async () => {
    expect(await sh('go vet ./...', await hostileClient('go'))).toBe('');
  });

  test.runIf(hasToolchain('java'))('is no code of the Java client, and no markup of its pom', async () => {
    const folder = await hostileClient('java');
    expect(await readFile(join(folder, 'pom.xml'), 'utf8')).not.toContain('<b>');
    await sh('mvn -q -B compile', folder);
  });
});
