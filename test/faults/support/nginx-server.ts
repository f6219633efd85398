import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../src/tools/free-port.ts';
import { endWithTests } from '../../support/command.ts';
import { eventually } from '../../support/eventually.ts';

/** Debian has it where users' paths do not lead. */
const PATH = `${process.env['PATH']}:/usr/sbin`;
const shipped = join(import.meta.dirname, '../../../deploy/nginx.conf');

function isInstalled(): boolean {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore', env: { PATH } });
    return true;
  } catch {
    return false;
  }
}

export const hasNginx = process.env['REQUIRE_NGINX'] === 'true' || isInstalled();

/** The shipped settings in front of instances that are known by address instead of by name. */
export class NginxServer {
  readonly origin: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'lockstep-nginx-'));
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.origin = `http://127.0.0.1:${port}`;
  }

  static async start(origins: readonly string[]): Promise<NginxServer> {
    const port = await freePort();
    const server = new NginxServer(port);
    writeFileSync(join(server.#folder, 'nginx.conf'), server.#settings(port, origins));
    const args = ['-p', server.#folder, '-c', 'nginx.conf', '-g', 'daemon off; pid nginx.pid; error_log errors.log;'];
    server.#process = spawn('nginx', args, { stdio: 'ignore', env: { PATH } });
    endWithTests(server.#process);
    await eventually(async () => void (await fetch(`${server.origin}/livez`)));
    return server;
  }

  #settings(port: number, origins: readonly string[]): string {
    const servers = (line: string) =>
      origins.map((origin) => line.replace('server:3000 resolve', new URL(origin).host));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
    return readFileSync(shipped, 'utf8')
      .replace(/^ *resolver .+$/m, `access_log off; ${temporary.join(' ')}`)
      .replace(/^.*server:3000 resolve.*$/m, (line) => servers(line).join('\n'))
      .replace('listen 8080', `listen 127.0.0.1:${port}`);
  }

  /** What it says about requests that it could not have answered, without their texts. */
  errors(): readonly string[] {
    const lines = readFileSync(join(this.#folder, 'errors.log'), 'utf8').split('\n');
    return lines.filter((line) => !line.includes('Connection refused')).map((line) => line.slice(0, 300));
  }

  end(): void {
    this.#process?.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
