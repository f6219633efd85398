import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../../src/runtime/settings/settings.ts';
import { eventually } from '../support/eventually.ts';
import { withFolder } from '../support/folder.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const known = new Set<string>(Object.values(settings).map(({ variable }) => variable));
const dockerfile = read('Dockerfile');

/** What the image takes from the project: all that .dockerignore lets in; a project has `migrations/` once it writes one. */
const copied = read('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1))
  .filter((path) => path !== 'migrations');

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
const manifests: any[] = parseAllDocuments(read('deploy/kubernetes.yaml')).map((one) => one.toJS());
const manifest = (kind: string) => manifests.find((one) => one.kind === kind);

describe('what is shipped', () => {
  it('names settings that exist', () => {
    const compose = parse(read('compose.yaml'));
    const [container] = manifest('Deployment').spec.template.spec.containers;
    const image = /^ENV (.+)$/m
      .exec(dockerfile)![1]!
      .split(' ')
      .map((pair) => pair.split('=')[0]!);
    const named = [
      ...Object.keys(compose.services.server.environment),
      ...container.env.map(({ name }: { name: string }) => name),
      ...[...read('deploy/kubernetes.yaml').matchAll(/--from-literal=(\w+)=/g)].map(([, name]) => name!),
      ...image,
    ];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      expect(['/readyz', '/livez']).toContain(container[probe].httpGet.path);
  });

  it('names images by their whole version, and its own by that of the package', () => {
    const compose = parse(read('compose.yaml'));
    const others = Object.values<{ image?: string }>(compose.services).flatMap(({ image }) => image ?? []);
    for (const image of others) expect(image).toMatch(/:\d+\.\d+(\.\d+)?-alpine$/);
    const { version } = JSON.parse(read('package.json'));
    for (const kind of ['Job', 'Deployment'])
      expect(manifest(kind).spec.template.spec.containers[0].image).toBe(`registry.example.com/lockstep:${version}`);
  });

  it('asks as little of Kubernetes as it can, and is reached by the proxy alone', () => {
    for (const kind of ['Job', 'Deployment']) {
      const pod = manifest(kind).spec.template.spec;
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(pod.containers[0].securityContext).toMatchObject({ readOnlyRootFilesystem: true });
    }
    const [{ from, ports }] = manifest('NetworkPolicy').spec.ingress;
    expect([from.length, ports[0].port]).toEqual([1, 'http']);
    const { topologySpreadConstraints: spread } = manifest('Deployment').spec.template.spec;
    expect(spread.map((one: { topologyKey: string }) => one.topologyKey)).toContain('kubernetes.io/hostname');
  });

  it('leaves time for the shutdown, and trusts one proxy alone', () => {
    const { containers, terminationGracePeriodSeconds } = manifest('Deployment').spec.template.spec;
    const settingOf = (name: string) => containers[0].env.find((one: { name: string }) => one.name === name).value;
    const shutdownMs = Number(settingOf('SHUTDOWN_DELAY_MS')) + Number(settings.shutdownTimeoutMs.fallback);
    expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThan(shutdownMs);
    const { services } = parse(read('compose.yaml'));
    expect(services.server.environment.TRUST_PROXY).toBe(services.proxy.networks.default.ipv4_address);
  });

  it('says itself what is wrong before the proxy gives up, and a frozen instance costs no read more than 3 s', () => {
    const nginx = read('deploy/nginx.conf');
    const location = /^ {4}location \/ \{\n([\s\S]*?)^ {4}\}/m.exec(nginx)![1]!;
    const millisecondsOf = (name: string, text: string) =>
      Number(new RegExp(`^ *${name} (\\d+)ms;$`, 'm').exec(text)![1]);
    const patienceMs = millisecondsOf('proxy_read_timeout', location);
    const [container] = manifest('Deployment').spec.template.spec.containers;
    const { env }: { env: { name: string; value: string }[] } = container;
    const databaseMs = [
      parse(read('compose.yaml')).services.server.environment.DATABASE_TIMEOUT_MS,
      env.find(({ name }) => name === 'DATABASE_TIMEOUT_MS')!.value,
    ].map(Number);
    // In the queue of requests, for a connection, and for a statement; what is over is looked for every 100 ms.
    for (const timeoutMs of databaseMs)
      expect(Number(settings.maxWaitMs.fallback) + 2 * timeoutMs + 100).toBeLessThan(patienceMs);
    // A read, which may be sent twice, goes on to another instance after that.
    expect(nginx).toMatch(/^ *proxy_next_upstream error timeout http_503;\n *proxy_next_upstream_tries 2;$/m);
    expect(patienceMs + millisecondsOf('proxy_connect_timeout', nginx)).toBeLessThanOrEqual(3_000);
    // Kubernetes hears the reason, too: /readyz answers within a second.
    for (const probe of ['startupProbe', 'readinessProbe']) expect(container[probe].timeoutSeconds).toBeGreaterThan(1);
  });

  it('is copied into the image as a whole', () => {
    expect(read('.dockerignore').split('\n')[0]).toBe('*');
    const [, build, last] = dockerfile.split(/^FROM .*$/m);
    expect(build).toMatch(/^COPY \. \.\nRUN npm run image -- --out \/image$/m);
    expect(last).toMatch(/^COPY --from=build \/image \.$/m);
  });

  it('is all that the server needs, as another user, with nothing to write to but its data', () =>
    withFolder({}, async (folder) => {
      const [sources, app, data] = [join(folder, 'sources'), join(folder, 'app'), join(folder, 'data')];
      mkdirSync(sources);
      mkdirSync(data);
      for (const path of copied) cpSync(join(root, path), join(sources, basename(path)), { recursive: true });
      symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'));
      const image = spawn(process.execPath, ['scripts/image.ts', '--out', app], { cwd: sources, stdio: 'ignore' });
      expect((await once(image, 'exit'))[0]).toBe(0);
      const isRoot = process.getuid!() === 0;
      const user = isRoot ? { uid: 65_534, gid: 65_534 } : {};
      if (isRoot) chownSync(data, 65_534, 65_534);
      chmodSync(folder, 0o755);
      chmodSync(app, 0o555);
      const environment = {
        ...process.env,
        NODE_ENV: 'production',
        PORT: '0',
        DATA_DIR: data,
        JWT_SECRET: 'a secret of the tests, and long enough for HS256',
      };
      const migration = spawn(process.execPath, ['migrate.js'], {
        cwd: app,
        env: environment,
        stdio: 'ignore',
        ...user,
      });
      expect((await once(migration, 'exit'))[0]).toBe(0);
      const server = spawn(process.execPath, JSON.parse(/^CMD (\[.+\])$/m.exec(dockerfile)![1]!).slice(1), {
        cwd: app,
        env: environment,
        stdio: 'pipe',
        ...user,
      });
      let [output, port] = ['', ''];
      for (const stream of [server.stdout, server.stderr])
        stream.on('data', (chunk) => {
          output += chunk;
        });
      const ended = once(server, 'exit');
      await eventually(async () => {
        if (server.exitCode !== null) throw new Error(output);
        port = /Server listening at \S+:(\d+)/.exec(output)?.[1] ?? '';
        expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
      });
      expect((await fetch(`http://127.0.0.1:${port}/v1/products`)).status).toBe(200);
      const [, command] = /^HEALTHCHECK [\s\S]*?CMD (\[.+\])$/m.exec(dockerfile)!;
      const [shell, ...args] = JSON.parse(command!);
      expect(
        (await once(spawn(shell, args, { env: { ...environment, PORT: port }, stdio: 'ignore' }), 'exit'))[0],
      ).toBe(0);
      server.kill('SIGTERM');
      expect((await ended)[0]).toBe(0);
      chmodSync(app, 0o755);
    }));
});
