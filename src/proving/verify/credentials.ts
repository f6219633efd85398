import { admitsAnonymous } from '../../descriptor/access.ts';
import { admits } from '../harness/callers.ts';
import type { Callers } from './callers.ts';
import type { Protocols } from './contract-client.ts';
import { Deviation } from './deviation.ts';
import type { HttpRecorder } from './http-recorder.ts';

/** Operations that are asked before the token is blamed: one of them may refuse it by a fault of its own. */
const MAX_PROBES = 3;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Throws `Deviation` when the server takes no token of ours: nothing else could be said of it, and whatever is asked
 * would be refused.
 */
export async function checkCredentials({ rest }: Protocols, callers: Callers, http: HttpRecorder) {
  const { owner, staff } = callers;
  const caller = [owner, staff].find((one) => one?.authorization !== undefined);
  if (!caller) return;
  const closed = rest.operations.filter(({ method, access }) => method === 'get' && !admitsAnonymous(access));
  const probes = closed.filter(({ access }) => admits(access, caller)).slice(0, MAX_PROBES);
  const statuses: number[] = [];
  for (const operation of probes) {
    // Callers are checked before what they ask for, so that ids and parameters do not matter.
    const params = Object.fromEntries(operation.parameters.map(({ name }) => [name, NO_ID]));
    const { status } = await http.send(rest.to(operation, { params }, caller), caller.name);
    statuses.push(status);
  }
  const [first] = probes;
  if (!first || statuses.some((status) => status !== 401)) return;
  throw new Deviation(
    'credentials',
    first.operationId,
    `answers 401: the server does not accept the token of ${caller.name}. ` +
      'Sign with the key of that server (`JWT_SECRET`, or `DATA_DIR` of its development key), or give a token of it (`--token`).',
  );
}
