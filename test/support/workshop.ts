import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import type { ServerOptions } from '../../src/runtime/server.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import type { DatabaseKind } from './databases.ts';
import { type As, contractOf, type Reply, type Service, startCompiled } from './service.ts';

export const workshop = (): Promise<CompiledContract> => contractOf('workshop');

export const startWorkshop = async (
  database: DatabaseKind,
  handlers: AnyHandlers = {},
  options: Partial<ServerOptions> = {},
): Promise<Service> => startCompiled(await workshop(), database, handlers, options);

export const NORTH = '00000000-0000-7000-8000-0000000000a1';
export const SOUTH = '00000000-0000-7000-8000-0000000000b2';
export const NOWHERE = '00000000-0000-7000-8000-000000000000';

const of = (sub: string, tenant: unknown, scope = ''): As => ({ sub, scope, claims: { app: { tenant } } });

/** Two companies, with a caller each of the same subject. */
export const north = of('someone', NORTH);
export const south = of('someone', SOUTH);
/** Sees all tenants, and is of the first. */
export const operator = of('operator', NORTH, 'tenants:operate');
/** Sees all tenants, and is of none. */
export const auditor: As = { sub: 'auditor', scope: 'tenants:operate' };
/** Tokens that name no tenant. */
export const tenantless: readonly As[] = [
  { sub: 'someone', scope: '' },
  of('someone', ''),
  of('someone', 7),
  of('someone', [NORTH]),
  of('someone', 'not a uuid'),
];

/** Requests of one service, with what they answer. */
export function callerOf(service: Service) {
  const send = (method: string, url: string, as: As | undefined, body?: object): Promise<Reply> =>
    service.request(method, `/v1${url}`, { ...(as && { as }), ...(body && { body }) });
  const made = async (url: string, as: As, body: object): Promise<{ readonly id: string }> => {
    const reply = await send('POST', url, as, body);
    if (reply.status !== 201) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  return {
    send,
    made,
    machine: (as: As, code: string, more: object = {}) =>
      made('/machines', as, { code, name: `${code} lathe`, state: 'IDLE', ...more }),
    worker: (as: As, email: string, more: object = {}) =>
      made('/workers', as, { name: 'Ann', email, retired: false, ...more }),
    /** The ids of a list. */
    async ids(url: string, as: As | undefined): Promise<readonly string[] | number> {
      const { status, body } = await send('GET', url, as);
      return status === 200 ? body.data.map(({ id }: { id: string }) => id) : status;
    },
  };
}
