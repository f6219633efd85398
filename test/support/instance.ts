import { setTimeout as delay } from 'node:timers/promises';
import { secretKeys } from '../../src/runtime/auth/keys.ts';
import { signToken } from '../../src/runtime/auth/sign-token.ts';
import { Command, type Environment, type Finished, listeningAt } from './command.ts';
import type { Caller } from './storefront.ts';

/** What tokens for the instances are signed with. */
export const SECRET = 'a secret of the tests, and long enough for HS256';

/** A token that the instances accept. */
export const tokenOf = ({ subject, scope }: Caller): string =>
  signToken(secretKeys(SECRET), { subject, scopes: scope.split(' '), expiresInSeconds: 3_600 });

/** The server as production runs it, in a process of its own. */
export class Instance {
  #origin = '';
  readonly #environment: Environment;
  readonly #entry: string;
  #command: Command | undefined;

  private constructor(environment: Environment, entry: string) {
    this.#entry = entry;
    this.#environment = {
      NODE_ENV: 'production',
      PORT: '0',
      JWT_SECRET: SECRET,
      MIGRATE_AT_BOOT: 'true',
      CHECK_RESPONSES: 'true',
      RATE_LIMIT: '0',
      ...environment,
    };
  }

  /** `entry`: a script that starts it, if it is not that of production. */
  static async start(environment: Environment, entry = 'src/main.ts'): Promise<Instance> {
    const instance = new Instance(environment, entry);
    await instance.start();
    return instance;
  }

  get origin(): string {
    return this.#origin;
  }

  get base(): string {
    return `${this.origin}/v1`;
  }

  /** Starts it, again where it has been before. */
  async start(): Promise<void> {
    const port = this.#origin && { PORT: new URL(this.#origin).port };
    const command = new Command(this.#entry, [], { ...this.#environment, ...port });
    this.#command = command;
    this.#origin = await listeningAt(command);
    let ended: Finished | undefined;
    void command.finished.then((finished) => {
      ended = finished;
    });
    while (!(await this.isReady())) {
      if (ended) throw new Error(`The server ended: ${ended.stdout}${ended.stderr}`);
      await delay(20);
    }
  }

  async isReady(): Promise<boolean> {
    return fetch(`${this.origin}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  /** Its process; for what it costs. */
  get pid(): number {
    return this.#command!.process.pid!;
  }

  async end(signal: NodeJS.Signals): Promise<Finished | undefined> {
    const command = this.#command;
    this.#command = undefined;
    return command?.stop(signal);
  }
}
