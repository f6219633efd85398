import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeText } from '../../../src/readers/clients/common/layer.ts';
import { freePort } from '../../../src/tools/free-port.ts';
import { endedByTests } from '../../support/clean-up.ts';
import { Command } from '../../support/command.ts';
import { Instance, tokenOf } from '../../support/instance.ts';
import { admin } from '../../support/storefront.ts';
import { hasToolchain } from '../../support/toolchains.ts';
import { makeClient, quickStart, sh } from './support.ts';

const NPM_CLIENT = 'lockstep-storefront-client';
const VERSION = '1.4.2';
/** A version of one of its dependencies is a tag that not every registry knows. */
const REGISTRY_OF_NPM = { dependencies: { verdaccio: '6.10.4' }, overrides: { 'node-fetch': '2.7.0' } };
const TWINE = 'twine==7.0.0';

const PRODUCT = {
  sku: 'MUG-1',
  name: 'Blue mug',
  price: 1999,
  currency: 'EUR',
  stock: 10,
  delivery: { kind: 'PHYSICAL', weightGrams: 410 },
};

/** The commands of `docs/clients.md` that publish the client of a language, with what their reader fills in. */
async function commandsOf(language: string, filledIn: Readonly<Record<string, string>> = {}): Promise<string> {
  const text = await readFile('docs/clients.md', 'utf8');
  const [, commands] = new RegExp(`^### To publish for ${language}$[^]*?^\`\`\`sh\\n([^]*?)^\`\`\``, 'm').exec(text)!;
  return Object.entries(filledIn).reduce((all, [word, value]) => all.replaceAll(word, value), commands!);
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-published-'));
  endedByTests(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** A client in the folder that the documentation calls `dist/clients/LANGUAGE`. */
async function clientIn(folder: string, language: 'python' | 'go' | 'java', name?: string): Promise<string> {
  const made = await makeClient(language, 'contracts', name, ['--package-version', VERSION]);
  const path = join(folder, 'dist/clients', language);
  await cp(made, path, { recursive: true });
  return path;
}

describe.concurrent('a published client is installed from its registry, and runs', () => {
  let api = '';
  const exampleOf = async (client: string): Promise<string> =>
    (await quickStart(client)).example.replace(/http:[^"']*/, api);

  beforeAll(async () => {
    api = (await Instance.start({ DATA_DIR: await temporaryFolder() })).base;
    const headers = { authorization: `Bearer ${tokenOf(admin)}`, 'content-type': 'application/json' };
    const body = JSON.stringify(PRODUCT);
    expect((await fetch(`${api}/products`, { method: 'POST', headers, body })).status).toBe(201);
  });

  test('of npm, for TypeScript', async () => {
    const folder = await temporaryFolder();
    const registry = await startRegistryOfNpm(folder);
    const userconfig = join(folder, '.npmrc');
    const npm = { npm_config_registry: registry, npm_config_userconfig: userconfig };
    await writeFile(userconfig, `${registry.slice('http:'.length)}/:_authToken=anybody\n`);
    await cp('generated/sdk', join(folder, 'generated/sdk'), { recursive: true });
    await sh(await commandsOf('TypeScript'), folder, npm);

    await writeText(join(folder, 'program/package.json'), '{ "type": "module" }');
    await sh(`npm install --no-audit --no-fund ${NPM_CLIENT}@1.0.0`, join(folder, 'program'), npm);
    const program = `import { createClient, products } from '${NPM_CLIENT}';
const client = createClient({ baseUrl: '${api}' });
for await (const product of products.list(client)) console.log('Product', product.name);
`;
    await writeText(join(folder, 'program/example.js'), program);
    expect(await sh('node example.js', join(folder, 'program'))).toMatch(/^Product /);
  });

  test.runIf(hasToolchain('python'))('of pip, for Python', async () => {
    const folder = await temporaryFolder();
    const index = await startIndexOfPip(folder);
    const client = await clientIn(folder, 'python');
    await sh(`python3 -m venv .venv && .venv/bin/pip install --quiet ${TWINE}`, folder);
    const twine = { TWINE_REPOSITORY_URL: index, TWINE_USERNAME: 'anybody', TWINE_PASSWORD: 'anything' };
    const path = { PATH: `${join(folder, '.venv/bin')}:${process.env['PATH']}` };
    await sh(await commandsOf('Python'), folder, { ...twine, ...path });

    await sh(
      `python3 -m venv program && program/bin/pip install --quiet --extra-index-url ${index} ${NPM_CLIENT}==${VERSION}`,
      folder,
    );
    await writeFile(join(folder, 'program/example.py'), await exampleOf(client));
    expect(await sh('program/bin/python program/example.py', folder)).toMatch(/^Product\(/);
  });

  test.runIf(hasToolchain('go'))('of Go, a proxy of modules', async () => {
    const folder = await temporaryFolder();
    const module = 'example.com/acme/shop';
    const client = await clientIn(folder, 'go', module);
    const identity = 'git config user.name a && git config user.email a@example.com';
    await sh('git init --quiet --bare origin', folder);
    await sh(
      `git init --quiet --initial-branch main && ${identity} && git remote add origin ${join(folder, 'origin')}`,
      client,
    );
    await sh(await commandsOf('Go', { '1.4.0': VERSION }), folder);
    const proxy = await proxyOfModules(folder, module);

    const program = join(folder, 'program');
    await writeText(join(program, 'main.go'), await exampleOf(client));
    const upstream = (await sh('go env GOPROXY', folder)).trim();
    const go = { GOPROXY: `file://${proxy},${upstream}`, GONOSUMDB: module };
    await sh(`go mod init example.com/program && go get ${module}@v${VERSION} && go mod tidy`, program, go);
    expect(await sh('go run .', program, go)).toMatch(/^\{/);
    // The cache has it under this name from now on, and it is another one each time.
    await sh(
      `chmod -R u+w "$(go env GOMODCACHE)/${module}@v${VERSION}" && rm -r "$(go env GOMODCACHE)/${module}@v${VERSION}" "$(go env GOMODCACHE)/cache/download/${module}"`,
      folder,
    );
  });

  test.runIf(hasToolchain('java'))('of Maven, for Java', async () => {
    const folder = await temporaryFolder();
    const repository = `file://${join(folder, 'repository')}`;
    const client = await clientIn(folder, 'java', 'com.acme.shop');
    // Pages about hundreds of classes take longer than all else.
    await sh(await commandsOf('Java', { 'https://repository.example.com/releases': repository }), folder, {
      MAVEN_OPTS: '-Dmaven.javadoc.skip=true',
    });

    const program = join(folder, 'program');
    await writeText(join(program, 'pom.xml'), projectOf(repository));
    await writeText(join(program, 'Example.java'), await exampleOf(client));
    await sh('mvn -q dependency:copy-dependencies', program);
    expect(await sh("java -cp 'target/dependency/*' Example.java", program)).toMatch(/^class Product \{/);
  });
});

/** Verdaccio, which takes the client from anybody, and all else from where npm takes it. */
async function startRegistryOfNpm(folder: string): Promise<string> {
  const [port, upstream] = [await freePort(), (await sh('npm config get registry', folder)).trim()];
  const rights = { access: '$all', publish: '$all' };
  const configuration = {
    storage: join(folder, 'storage'),
    uplinks: { upstream: { url: upstream } },
    packages: { [NPM_CLIENT]: rights, '**': { access: '$all', proxy: 'upstream' } },
    log: { level: 'fatal' },
  };
  await writeText(join(folder, 'registry/config.yaml'), JSON.stringify(configuration));
  await writeText(join(folder, 'registry/package.json'), JSON.stringify(REGISTRY_OF_NPM));
  await sh('npm install --no-audit --no-fund --ignore-scripts', join(folder, 'registry'));
  const verdaccio = join(folder, 'registry/node_modules/verdaccio/bin/verdaccio');
  const server = new Command(
    verdaccio,
    ['--config', 'config.yaml', '--listen', String(port)],
    {},
    join(folder, 'registry'),
  );
  const registry = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${registry}/-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  await Promise.race([
    expect.poll(answers, { timeout: 120_000 }).toBe(true),
    server.finished.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  return registry;
}

/** An index as PEP 503 describes it, which takes files as PyPI does; its URL. */
async function startIndexOfPip(folder: string): Promise<string> {
  const files = join(folder, 'index');
  await mkdir(files);
  const server = createServer(async (request, response) => {
    const [, , , file] = request.url!.split('/');
    if (request.method === 'POST') {
      const body = await new Response(new Uint8Array(await buffer(request)), {
        headers: { 'content-type': request.headers['content-type']! },
      }).formData();
      const content = body.get('content') as File;
      await writeFile(join(files, content.name), new Uint8Array(await content.arrayBuffer()));
      response.end();
    } else if (file) {
      response.end(await readFile(join(files, file)));
    } else {
      const isOurs = request.url === `/simple/${NPM_CLIENT}/`;
      const links = isOurs ? (await readdir(files)).map((name) => `<a href="${name}">${name}</a>`) : [];
      response.writeHead(isOurs ? 200 : 404, { 'content-type': 'text/html' }).end(links.join('\n'));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endedByTests(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple/`;
}

/** What a proxy of modules makes of the tag that was pushed (https://go.dev/ref/mod#goproxy-protocol); its folder. */
async function proxyOfModules(folder: string, module: string): Promise<string> {
  const [proxy, tag] = [join(folder, 'proxy'), `v${VERSION}`];
  const versions = join(proxy, module, '@v');
  await writeText(join(versions, 'list'), `${tag}\n`);
  await writeText(join(versions, `${tag}.info`), JSON.stringify({ Version: tag }));
  const [origin, zip] = [join(folder, 'origin'), join(versions, `${tag}.zip`)];
  await sh(`git archive --format zip --prefix ${module}@${tag}/ --output ${zip} ${tag}`, origin);
  await writeText(join(versions, `${tag}.mod`), await sh(`git show ${tag}:go.mod`, origin));
  return proxy;
}

const projectOf = (repository: string): string => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>program</artifactId>
  <version>1</version>
  <repositories><repository><id>acme</id><url>${repository}</url></repository></repositories>
  <dependencies>
    <dependency><groupId>com.acme</groupId><artifactId>${NPM_CLIENT}</artifactId><version>${VERSION}</version></dependency>
  </dependencies>
</project>
`;
