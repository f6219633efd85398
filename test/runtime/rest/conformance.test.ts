import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basePathOf } from '../../../src/descriptor/base-path.ts';
import type { OperationDescriptor } from '../../../src/descriptor/rest.ts';
import { handlers } from '../../../src/handlers/index.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { disturbed, valid } from '../../support/schema-arbitrary.ts';
import { contractOf, type Reply, type RequestOptions, type Service, startService } from '../../support/service.ts';
import { isThorough } from '../../support/thorough.ts';

const RUNS = isThorough ? 40 : 12;
const SEED = 20_260_115;

const contracts: readonly (readonly [string, AnyHandlers])[] = [
  ['contracts', handlers as unknown as AnyHandlers],
  ['library', {}],
  ['cats', {}],
];
const served = databases.flatMap((database) =>
  contracts.map((contract) => [database.name, ...contract, database] as const),
);

interface Request {
  readonly method: string;
  readonly url: string;
  readonly options: RequestOptions;
}

/**
 * Requests made from the contract alone. The service holds each answer against the contract and answers 500 when it
 * does not match, so that no 5xx means: declared statuses, declared codes, bodies as described.
 */
describe.each(served)('conformance on %s of %s', (_, name, own, database) => {
  let service: Service;
  let operations: readonly OperationDescriptor[];
  let scope: string;
  const sub = '019bc0de-7c00-7000-8000-00000000000a';
  /** Ids that exist, to be met by path parameters of any name and by references. */
  const known: string[] = [sub];

  beforeAll(async () => {
    service = await startService(name, database, own);
    operations = (await contractOf(name)).rest.operations;
    scope = operations
      .flatMap(({ access }) => access.anyOf.flatMap(({ schemes }) => schemes.flatMap(({ scopes }) => scopes)))
      .join(' ');
  });
  afterAll(() => service.close());

  const send = ({ method, url, options }: Request): Promise<Reply> => service.request(method, url, options);

  function requests(operation: OperationDescriptor, isDisturbed: boolean): fc.Arbitrary<Request> {
    const { document } = service.contract;
    const value = isDisturbed ? disturbed : valid;
    const media = operation.requestBody && Object.entries(operation.requestBody.content)[0]!;
    const body = media
      ? fc.option(value(document, media[1].schema), { freq: 20, nil: undefined })
      : fc.constant(undefined);
    const parameters = operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) =>
        fc.option(
          value(document, parameter.schema).map((one) => queryOf(parameter.name, one)),
          { freq: 1, nil: '' },
        ),
      );
    const ids = operation.path.split('{').length - 1;
    const path = fc.array(fc.oneof(fc.constantFrom(...known), fc.uuid()), { minLength: ids, maxLength: ids });
    const caller = fc.constantFrom(undefined, { sub, scope }, { sub, scope: '' }, { sub: 'service', scope });
    const tag = fc.constantFrom(undefined, '"1"', 'W/"1"', '*', '"2", "3"');
    return fc.tuple(path, fc.tuple(...parameters), body, caller, tag).map(([params, query, content, as, ifMatch]) => ({
      method: operation.method.toUpperCase(),
      url: `${basePathOf(document)}${operation.path.replaceAll(/\{[^}]+\}/g, () => params.shift() ?? sub)}?${query.filter(Boolean).join('&')}`,
      options: {
        ...(as && { as }),
        ...(content !== undefined && { body: content }),
        ...(ifMatch && { headers: { 'if-match': ifMatch } }),
      },
    }));
  }

  it.each([false, true])('no answer is undeclared, none a 5xx (disturbed requests: %s)', async (isDisturbed) => {
    const seen = new Set<number>();
    for (const operation of operations) {
      const property = fc.asyncProperty(requests(operation, isDisturbed), async (request) => {
        const reply = await send(request);
        seen.add(reply.status);
        if (reply.status === 201) known.push(reply.body.id);
        expect(
          reply.status,
          `${request.method} ${request.url} ${JSON.stringify(request.options)} ${reply.text}`,
        ).toBeLessThan(500);
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
    }
    for (const status of [200, 400, 404, ...(isDisturbed ? [] : [201])]) expect(seen).toContain(status);
  });
});

/** As the parameter's style says: deepObject for objects, one field with commas for arrays. */
function queryOf(name: string, value: unknown): string {
  if (Array.isArray(value))
    return `${name}=${value.map((one) => encodeURIComponent(String(one).toWellFormed())).join(',')}`;
  if (typeof value !== 'object' || value === null) return `${name}=${encodeURIComponent(String(value).toWellFormed())}`;
  return Object.entries(value)
    .map(
      ([key, one]) =>
        `${encodeURIComponent(`${name}[${key.toWellFormed()}]`)}=${encodeURIComponent(String(one).toWellFormed())}`,
    )
    .join('&');
}
