import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { Probes, probedContract } from '../../support/probes.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import { walledDatabases } from '../../support/walled-databases.ts';
import { north, south } from '../../support/workshop.ts';

const contract = probedContract('workshop');

// biome-ignore lint/suspicious/noExplicitAny: as it comes from a handlers folder
type Json = any;

const CREATE = 'mutation ($input: MachineInput!) { createMachine(input: $input) { id code } }';

describe.each(walledDatabases)('keys of code that writes as its caller, on $name,', (database) => {
  const probes = new Probes();
  let service: Service;
  let runs = 0;
  /** Each machine comes with a worker, whom its caller makes. */
  const overrides = {
    machines: {
      async create(input: Json, { asCaller }: Json, next: (input: Json) => Promise<Json>) {
        runs++;
        await asCaller.workers.create({ name: input.name, email: `${input.code}@example.com`, retired: false });
        return next(input);
      },
    },
  } as unknown as NonNullable<AnyHandlers['overrides']>;

  beforeAll(async () => {
    service = await startCompiled(await contract, database, { ...probes.handlers, overrides });
  });
  afterAll(() => service.close());

  const input = (code: string) => ({ code, name: `${code} lathe`, state: 'IDLE' });
  const headers = (key: string) => ({ 'idempotency-key': key });
  const workers = async (as: object, code: string) => {
    const { body } = await service.request('GET', '/v1/workers', { as });
    return body.data.filter(({ email }: Json) => email === `${code}@example.com`).length;
  };
  const ways = {
    REST: async (as: object, key: string, code: string) => {
      const reply = await service.request('POST', '/v1/machines', { as, body: input(code), headers: headers(key) });
      return reply.body.id ?? reply.body.code;
    },
    GraphQL: async (as: object, key: string, code: string) => {
      const variables = { input: input(code) };
      const { data, errors } = await service.graphql(CREATE, { as, variables, headers: headers(key) });
      return data?.createMachine?.id ?? errors?.[0]?.extensions.code;
    },
  };
  const protocols = Object.keys(ways) as (keyof typeof ways)[];

  it.each(protocols.flatMap((first) => protocols.map((then) => [first, then] as const)))(
    'made over %s and repeated over %s, write once',
    async (first, then) => {
      const code = `${first[0]}${then[0]}`;
      const before = runs;
      const made = await ways[first](north, code, code);
      expect(made).toMatch(/-/);
      expect(await ways[then](north, code, code)).toBe(made);
      expect(runs).toBe(before + 1);
      expect(await workers(north, code)).toBe(1);
      expect(await ways[then](north, code, `${code}X`)).toBe('IDEMPOTENCY_KEY_REUSED');
      expect(await workers(north, `${code}X`)).toBe(0);
      // A key is its caller's.
      expect(await ways[then](south, code, `${code}S`)).not.toBe(made);
    },
  );

  it('are of creates alone: a custom operation runs each time', async () => {
    let made = 0;
    const code = async ({ asCaller }: Json) => (await asCaller.machines.create(input(`P${made++}`))).code;
    const asked = () => ({ as: north, headers: headers('probe') });
    probes.code = code;
    const rest = [1, 2].map(() => service.request('POST', '/v1/probes', asked()));
    for (const reply of rest) expect((await reply).status).toBe(200);
    const graphql = [1, 2].map(() => service.graphql('mutation { done }', asked()));
    for (const reply of graphql) expect((await reply).errors).toBeUndefined();
    expect(made).toBe(4);
  });
});
