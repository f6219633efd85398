import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as storefront from '../../../../contracts/samples/index.ts';
import { mockHandlers } from '../../../../src/authoring/mock/mock-handlers.ts';
import { mockSample } from '../../../../src/authoring/mock/mock-sample.ts';
import { requestsById } from '../../../../src/compiler/emit/sample-requests.ts';
import type { ContractModel } from '../../../../src/compiler/model/model.ts';
import { basePathOf } from '../../../../src/descriptor/base-path.ts';
import type { CompiledContract } from '../../../../src/descriptor/compiled-contract.ts';
import { handlers } from '../../../../src/handlers/index.ts';
import { curlSample } from '../../../../src/readers/docs/samples/curl.ts';
import { graphqlCurl } from '../../../../src/readers/docs/samples/graphql.ts';
import { graphqlExamples } from '../../../../src/readers/docs/samples/graphql-operations.ts';
import { sampleOf } from '../../../../src/readers/docs/samples/sample.ts';
import { openSqliteStore } from '../../../../src/runtime/storage/sqlite/sqlite-store.ts';
import type { AnyHandlers } from '../../../../src/runtime/wiring.ts';
import { load, type Sample, type SampleCaller } from '../../../../src/tools/sample.ts';
import { tenantClaims } from '../../../../src/tools/token/tenant-claims.ts';
import type { As, Service } from '../../../support/service.ts';
import { contractOf, startCompiled } from '../../../support/service.ts';

/** A sample of the documentation. */
export interface FreshSample {
  readonly name: string;
  readonly protocol: 'REST' | 'GraphQL';
  /** Whose token is sent. */
  readonly as: As;
  /** It changes nothing. */
  readonly isRead: boolean;
  /** As a reader pastes it. `origin`: where the server is. */
  curl(origin: string): string;
  /** The same request in this process: what is wrong with its answer, or nothing. */
  fault(service: Service): Promise<string | undefined>;
}

/** A contract on the data that a first start fills it with. */
export class FreshData {
  readonly samples: readonly FreshSample[];
  readonly #model: ContractModel;
  readonly #handlers: AnyHandlers;
  readonly #folder: string;

  private constructor(model: ContractModel, given: { callers: readonly As[]; handlers: AnyHandlers; folder: string }) {
    this.#model = model;
    this.#handlers = given.handlers;
    this.#folder = given.folder;
    this.samples = samplesOf(model, given.callers);
  }

  /** `contracts`: the storefront with its sample data; the name of a fixture: on what `npm run mock` makes up. */
  static async of(name: string, given?: CompiledContract): Promise<FreshData> {
    const isStorefront = name === 'contracts';
    const path = name.includes('/') ? `test/fixtures/${name}` : name;
    const model = (given ?? (await contractOf(path))) as ContractModel;
    const sample = isStorefront ? storefront : mockSample({ contract: model, seed: 1, rows: 20 });
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-fresh-'));
    const store = openSqliteStore({ file: join(folder, 'fresh.db'), resources: model.resources });
    await load(store, model.resources, sample.sample());
    await store.close();
    const known = [sample.admin ?? { subject: '', scope: '' }, ...((sample as Sample).others ?? [])];
    const callers = known.map(({ subject, scope, claims }: SampleCaller) => ({
      sub: subject,
      scope,
      claims: { ...tenantClaims(model), ...claims },
    }));
    const own = isStorefront ? (handlers as unknown as AnyHandlers) : mockHandlers(model, 1);
    return new FreshData(model, { callers, handlers: own, folder });
  }

  /** What is wrong with the answers to samples that are sent one after the other. */
  async faults(samples: readonly FreshSample[]): Promise<string[]> {
    const service = await this.serve();
    const faults: string[] = [];
    for (const sample of samples) faults.push(...[(await sample.fault(service)) ?? []].flat());
    await service.close();
    return faults;
  }

  /** A server on a copy of the data. */
  serve(): Promise<Service> {
    const from = join(this.#folder, 'fresh.db');
    const database = {
      name: 'SQLite',
      async open(resources: ContractModel['resources']) {
        const folder = await mkdtemp(join(tmpdir(), 'lockstep-fresh-'));
        await cp(from, join(folder, 'test.db'));
        const store = openSqliteStore({ file: join(folder, 'test.db'), resources });
        const close = async () => {
          await store.close();
          await rm(folder, { recursive: true });
        };
        return { store, close };
      },
    };
    // As the mock: an ambiguous document says more than one thing of an answer.
    const checkResponses = this.#model.resources.length > 0;
    return startCompiled(this.#model, database, this.#handlers, { checkResponses });
  }

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true });
  }
}

/** `callers`: those whose tokens a start prints, the one for most samples first. */
function samplesOf(model: ContractModel, callers: readonly As[]): readonly FreshSample[] {
  const base = basePathOf(model.document);
  const callerOf = (operationId: string | undefined): As => {
    const { subject } = requests.get(operationId ?? '') ?? {};
    return callers.find(({ sub }) => subject === undefined || sub === String(subject))!;
  };
  const requests = requestsById(model);
  const rest = [...requests.values()].map((request): FreshSample => {
    const own = sampleOf(request, base);
    const as = callerOf(request.operationId);
    return {
      name: request.operationId,
      protocol: 'REST',
      as,
      isRead: own.method === 'GET',
      curl: (origin) => curlSample(sampleOf(request, origin + base)),
      async fault(service) {
        const { method, url, headers, body, needsToken } = own;
        const options = { headers: Object.fromEntries(headers), ...(body && { body: body.text }) };
        const { status, text } = await service.request(method, url, { ...options, ...(needsToken && { as }) });
        return status < 400 ? undefined : `${request.operationId}: ${method} ${url}: ${status} ${text}`;
      },
    };
  });
  if (!model.graphql) return rest;
  const examples = graphqlExamples(model, model.graphql, requests);
  const operations = examples.roots
    .filter(({ kind }) => kind !== 'subscription')
    .map((root) => ({ name: root.field.name, ...examples.operation(root) }));
  const graphql = operations.map((one): FreshSample => {
    const as = callerOf(one.operationId);
    return {
      name: one.name,
      protocol: 'GraphQL',
      as,
      isRead: one.kind === 'query',
      curl: (origin) => graphqlCurl(`${origin}/graphql`, one, true),
      async fault(service) {
        const { data, errors } = await service.graphql(one.document, { as, variables: one.variables });
        return errors === undefined && data[one.name] != null
          ? undefined
          : `${one.name}: ${JSON.stringify(errors ?? data)}`;
      },
    };
  });
  return [...rest, ...graphql];
}
