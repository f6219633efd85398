import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { sampleRequests } from '../../../src/compiler/emit/sample-requests.ts';
import { packageNameOf } from '../../../src/compiler/emit/sdk/sdk-package.ts';
import { goSample } from '../../../src/readers/docs/samples/go.ts';
import { javaSample } from '../../../src/readers/docs/samples/java.ts';
import { pythonSample } from '../../../src/readers/docs/samples/python.ts';
import { type Sample, sampleOf } from '../../../src/readers/docs/samples/sample.ts';
import { codeSamples } from '../../../src/readers/docs/samples/samples.ts';
import { hasToolchain } from '../../support/toolchains.ts';
import { ALL_IN_JAVA, sh } from '../clients/support.ts';
import { siteOf } from './support/site-of.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const ROOT = join(import.meta.dirname, '../../..');
const TOKEN = 'a-token';
const EMPTY_PAGE = JSON.stringify({ data: [], page: { nextCursor: null } });

const { model } = await modelContract('contracts');
const requests = sampleRequests(model!);

let server: Server;
let base = '';
let folder = '';
let received: Received[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-samples-'));
  server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, body: await text(request) });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(EMPTY_PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
beforeEach(() => {
  received = [];
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** The samples of a language, each in a file of its own, `NAME` of which is the number of the operation. */
async function writeSamples(lang: string, file: string, written = (source: string, _index: number) => source) {
  const samples = codeSamples(model!, base);
  for (const [index, { operationId }] of requests.entries()) {
    const { source } = samples(operationId).find((one) => one.lang === lang)!;
    const path = join(folder, file.replace('NAME', String(index)));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, written(source, index));
  }
}

/** Runs a command that runs these samples in order; each must have sent what those of all languages send. */
async function expectRequests(
  command: string,
  { isLike = isSame, of: chosen = requests }: { isLike?: typeof isSame; of?: typeof requests } = {},
): Promise<void> {
  await sh(command, folder, { TOKEN });
  expect(received).toHaveLength(chosen.length);
  for (const [index, request] of chosen.entries()) isLike(received[index]!, sampleOf(request, base));
}

function isSame(one: Received, sample: Sample): void {
  expect(`${one.method} ${one.url}`).toBe(`${sample.method} ${sample.url.slice(base.length - '/v1'.length)}`);
  isAlike(one, sample);
}

/** The client has its own way with pages. */
function isAlike({ method, url, headers, body }: Received, sample: Sample): void {
  expect(`${method} ${url.split('?')[0]}`).toBe(`${sample.method} ${new URL(sample.url).pathname}`);
  expect(headers.authorization).toBe(sample.needsToken ? `Bearer ${TOKEN}` : undefined);
  for (const [name, value] of sample.headers) expect(headers[name.toLowerCase()]).toContain(value);
  if (sample.body) expect(JSON.parse(body)).toEqual(JSON.parse(sample.body.text));
  else expect(body).toBe('');
}

describe('the samples of the documentation', () => {
  const numbers = requests.map((_, index) => index);

  test('in shell send what they show', async () => {
    await writeSamples('sh', 'shell/NAME.sh');
    await expectRequests(numbers.map((number) => `sh shell/${number}.sh 2> /dev/null`).join('\n'));
  });

  test('in TypeScript have types that hold, and send what they show', async () => {
    await writeSamples('ts', 'typescript/NAME.mts');
    const installed = join(folder, 'node_modules', packageNameOf(model!));
    await mkdir(dirname(installed), { recursive: true });
    await symlink(join(ROOT, 'generated/sdk'), installed);
    await symlink(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
    const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
    const options = '--noEmit --strict --module nodenext --target esnext --types node';
    expect(await sh(`${tsc} ${options} typescript/*.mts`, folder)).toBe('');
    const all = numbers.map((number) => `await import('./typescript/${number}.mts');\n`).join('');
    await writeFile(join(folder, 'all.mjs'), all);
    await expectRequests(`'${process.execPath}' all.mjs`, { isLike: isAlike });
  });

  test('of guides, subscriptions and fields of GraphQL have types that hold', async () => {
    const files = await siteOf('contracts');
    const pages = [...files].filter(([path]) => /^docs\/(?:guides|operations)\/.*\.md$/.test(path));
    const samples = pages.flatMap(([path, text]) =>
      [...String(text).matchAll(/^```ts TypeScript\n([\s\S]*?)^```$/gm)].map(([, source]) => [path, source!] as const),
    );
    expect(samples.length).toBeGreaterThan(80);
    const all = join(folder, 'pages');
    for (const [index, [path, source]] of samples.entries()) {
      await mkdir(all, { recursive: true });
      await writeFile(join(all, `${index}.mts`), `// ${path}\n${source}export {};\n`);
    }
    for (const name of ['graphql-ws', 'graphql', packageNameOf(model!)]) {
      const from = name === packageNameOf(model!) ? 'generated/sdk' : `node_modules/${name}`;
      await mkdir(join(all, 'node_modules'), { recursive: true });
      await symlink(join(ROOT, from), join(all, 'node_modules', name));
    }
    await symlink(join(ROOT, 'node_modules/@types'), join(all, 'node_modules/@types'));
    const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
    expect(await sh(`${tsc} --noEmit --strict --module nodenext --target esnext --types node *.mts`, all)).toBe('');
  });

  test.runIf(hasToolchain('python'))('in Python without its client send what they show', async () => {
    await mkdir(join(folder, 'python'), { recursive: true });
    for (const [index, request] of requests.entries())
      await writeFile(join(folder, `python/${index}.py`), pythonSample(sampleOf(request, base)));
    const all = `import runpy\nfor number in range(${numbers.length}):\n    runpy.run_path(f"python/{number}.py")\n`;
    await writeFile(join(folder, 'all.py'), all);
    await expectRequests('python3 all.py');
  });

  test.runIf(hasToolchain('go'))(
    'in Go without its client meet the checks of go vet, and send what they show',
    async () => {
      for (const [index, request] of requests.entries()) {
        await mkdir(join(folder, `go/${index}`), { recursive: true });
        await writeFile(join(folder, `go/${index}/main.go`), goSample(sampleOf(request, base)));
      }
      await writeFile(join(folder, 'go/go.mod'), 'module samples\n\ngo 1.21\n');
      expect(await sh('go vet ./... && gofmt -l .', join(folder, 'go'))).toBe('');
      // Linking a program takes a second: of every eighth there is one.
      const few = numbers.filter((number) => number % 8 === 0);
      const runs = few.map((number) => `go run ./${number}`).join('\n');
      await expectRequests(`cd go\n${runs}`, { of: requests.filter((_, index) => few.includes(index)) });
    },
  );

  test.runIf(hasToolchain('java'))(
    'in Java without its client meet the checks of javac, and send what they show',
    async () => {
      for (const [index, request] of requests.entries()) {
        await mkdir(join(folder, `java/s${index}`), { recursive: true });
        const source = javaSample(sampleOf(request, base));
        await writeFile(join(folder, `java/s${index}/Example.java`), `package s${index};\n${source}`);
      }
      await writeFile(join(folder, 'java/All.java'), ALL_IN_JAVA);
      expect(await sh('javac -Xlint:all -Werror -d out $(find . -name "*.java")', join(folder, 'java'))).toBe('');
      await expectRequests(`java -cp java/out All ${numbers.map((number) => `s${number}`).join(' ')}`);
    },
  );
});
