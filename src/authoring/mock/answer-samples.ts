import type { ContractModel } from '../../compiler/model/index.ts';
import { pairedStore } from '../../proving/harness/index.ts';
import { secretKeys, signToken } from '../../runtime/auth/index.ts';
import { load } from '../../tools/sample.ts';
import { serveOn, sqliteScratch } from '../../tools/scratch-store.ts';
import { countedUuid } from '../../tools/uuid.ts';
import { mockHandlers } from './mock-handlers.ts';
import { mockSample } from './mock-sample.ts';

/** The same rows, values, ids and times in each build. */
const SEED = 1;
const NOW = Date.parse('2026-01-01T12:00:00.000Z');
const HOUR_S = 3_600;

/** The mock of a contract in this process, on the rows that samples are about: answers them for the documentation. */
export async function answerSamples(model: ContractModel) {
  const scratch = await sqliteScratch('samples', model.resources);
  // Its cursors are the same in each build, too.
  const store = pairedStore(scratch.store);
  const made = mockSample({ contract: model, seed: SEED, rows: 1 });
  await load(store, model.resources, made.sample());
  const keys = secretKeys('tokens that are valid in this process and nowhere else');
  let count = 0;
  const { app, close } = await serveOn(scratch, {
    contract: model,
    handlers: mockHandlers(model, SEED),
    ...{ store, authentication: { keys }, allowMissing: true },
    clock: () => NOW,
    newId: () => countedUuid(NOW, ++count),
  });
  const { admin = { subject: '', scope: '' }, others = [] } = made;
  const tokenOf = (wanted: unknown): string => {
    const { subject, scope, claims = {} } = others.find((one) => one.subject === String(wanted)) ?? admin;
    return signToken(keys, { subject, scopes: scope.split(' '), expiresInSeconds: HOUR_S, now: new Date(NOW), claims });
  };
  return {
    close,
    async answer({ method, url, headers, needsToken, body }: Request, subject: unknown): Promise<unknown> {
      const { statusCode, payload } = await app.inject({
        method: method as 'GET',
        url,
        headers: { ...Object.fromEntries(headers), ...(needsToken && { authorization: `Bearer ${tokenOf(subject)}` }) },
        ...(body && { payload: body.text }),
      });
      return statusCode < 300 ? JSON.parse(payload) : undefined;
    },
  };
}

interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly needsToken: boolean;
  readonly body: { readonly text: string } | undefined;
}
