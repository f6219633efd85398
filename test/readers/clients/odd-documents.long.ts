import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pythonGenerator } from '../../../src/readers/clients/python/python-generator.ts';
import { runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';
import { hasToolchain } from '../../support/toolchains.ts';
import { makeClient, sh } from './support.ts';

const ODD = 'test/readers/clients/odd';

const SENT = `import sys
sys.path.insert(0, ".")
from odd_client.api.things import create_thing
from odd_client.models import ListThingsStatus, Thing
print(ListThingsStatus.OPEN_UPPER.value)
print(create_thing._get_kwargs(body=Thing(name="a"))["json"])
from odd_client.api.maps import additional_keys
from odd_client.models import AdditionalKeysBody, Union
for one in [{"kind": "card"}, {"kind": "bank"}, {"routing": "1"}, {"file": {"name": "a"}}, {"kind": "other", "routing": "1"}]:
    print(type(Union.from_dict({"one": one}).one).__name__)
types = {additional_keys._get_kwargs(body=AdditionalKeysBody(own_to_dict="a", on=True))["headers"]["Content-Type"] for _ in range(2)}
print(len(types))
print(AdditionalKeysBody(own_to_dict="a", on=True).to_multipart())
from odd_client.api.session import get_session, put_session
print(get_session._get_kwargs(sid="a")["cookies"], put_session._get_kwargs(sid="b")["cookies"])
`;

describe('a client of a document that generators misread', () => {
  test.runIf(hasToolchain('python'))(
    'Python: has each operation, and sends no property that answers alone have',
    async () => {
      const folder = await makeClient('python', ODD);
      const { python } = await pythonGenerator();
      expect(await sh(`'${python}' - <<'END'\n${SENT}END`, folder)).toBe(
        `OPEN\n{'name': 'a'}\nCard\nBank\nBank\nOpen\nOpen\n2\n[('to_dict', (None, b'a', 'text/plain')), ('on', (None, b'true', 'text/plain'))]\n{'sid': 'a'} {'sid': 'b'}\n`,
      );
    },
  );

  test.runIf(hasToolchain('java'))(
    'Java: compiles, with operations beside a webhook of their tag, and without those that require a cookie',
    () =>
      withFolder({}, async (out) => {
        const args = ['--contracts', ODD, '--language', 'java', '--out', out];
        const { code, stderr } = await runHere('scripts/clients.ts', args);
        expect({ code, stderr }).toEqual({
          code: 0,
          stderr:
            'java: getSession (GET /session) is left out: the generator for Java sends no cookies, and one is required\n',
        });
        const folder = join(out, 'java');
        await sh('mvn -q -B compile', folder);
        const text = (path: string) => readFile(join(folder, path), 'utf8');
        const api = await text('src/main/java/com/example/odd/api/ThingsApi.java');
        expect(api).toMatch(/listThings\([\s\S]*createThing\(|createThing\([\s\S]*listThings\(/);
        expect(await text('src/main/java/com/example/odd/model/Hook.java')).toContain('class Hook');
        const thing = await text('src/main/java/com/example/odd/model/Thing.java');
        expect(thing).toMatch(/private Long count;[\s\S]*any = JsonNullable\.<Object>undefined\(\);/);
        const client = await text('src/main/java/com/example/odd/Client.java');
        expect([client.includes('putSession('), client.includes('getSession(')]).toEqual([true, false]);
        const readme = await text('README.md');
        expect(readme).toContain(
          '- **Cookies** are not sent; these operations would accept them: `putSession` (`sid`).',
        );
        expect(readme).toMatch(/## Left out[\s\S]*`getSession \(GET \/session\)`: .*cookie/);
        expect(await runHere('scripts/clients.ts', [...args, '--strict'])).toMatchObject({ code: 1 });
      }),
  );

  test.runIf(hasToolchain('go'))('Go: leaves out what it cannot express, names it, and ends with 1 if --strict', () =>
    withFolder({}, async (out) => {
      const args = ['--contracts', ODD, '--language', 'go', '--out', out];
      const { code, stderr } = await runHere('scripts/clients.ts', args);
      expect(code).toBe(0);
      expect(stderr).toMatch(/^go: getClient \(GET \/client\) is left out: no field of Go can be called .*`/);
      expect(await readFile(join(out, 'go', 'README.md'), 'utf8')).toMatch(/## Left out[\s\S]*getClient/);
      expect(await sh('go vet ./...', join(out, 'go'))).toBe('');
      expect(await runHere('scripts/clients.ts', [...args, '--strict'])).toMatchObject({ code: 1 });
    }),
  );

  test.runIf(hasToolchain('go'))('Go: has a constant for each value of an enum, over both protocols', async () => {
    const folder = await makeClient('go', 'test/readers/clients/alike');
    const graphql = await readFile(join(folder, 'graphql/graphql.gen.go'), 'utf8');
    const values = [...graphql.matchAll(/^\tState\w+ +State = "(.*)"$/gm)].map(([, value]) => value);
    expect(values).toEqual(['OPEN', 'Open', 'open', 'ON_HOLD', 'on_hold', '_1', 'ONHOLD']);
    expect(await sh('go vet ./...', folder)).toBe('');
  });
});
