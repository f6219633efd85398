import { modelContract } from '../../src/compiler/compile-contract.ts';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { handlers } from '../../src/handlers/index.ts';
import { prove } from '../../src/proving/proof/prove.ts';
import type { ParityRecord } from '../../src/proving/proof/record.ts';
import { type Callers, signedCallers } from '../../src/proving/verify/callers.ts';
import { protocolsOf } from '../../src/proving/verify/contract-client.ts';
import { type VerifyReport, verify } from '../../src/proving/verify/verify.ts';
import { secretKeys } from '../../src/runtime/auth/keys.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import { databases } from './databases.ts';
import { depotIn } from './depot.ts';
import { blockOf } from './documents.ts';
import { exchangeHandlers } from './exchange-handlers.ts';
import { withFolder } from './folder.ts';
import { offeringAll } from './offering.ts';
import { contractOf, type Service, startCompiled } from './service.ts';

/** A correct contract with its handlers, of which the tools that hold servers against contracts know nothing. */
export interface UnseenContract {
  readonly name: string;
  readonly handlers: AnyHandlers;
  compiled(): Promise<CompiledContract>;
}

/** A contract of `test/fixtures`, or `contracts`. */
export const fixture = (name: string, own: AnyHandlers = {}): UnseenContract => ({
  name,
  handlers: own,
  compiled: () => contractOf(name),
});

let documented: Promise<CompiledContract> | undefined;

/** The contract of the documents, with its GraphQL side. */
function documentedContract(): Promise<CompiledContract> {
  const files = {
    'openapi.yaml': blockOf('contract.md', 'yaml contract'),
    'schema.graphql': blockOf('graphql.md', 'graphql contract'),
  };
  documented ??= withFolder(files, async (folder) => {
    const { model } = await modelContract(folder);
    return model!;
  });
  return documented;
}

/**
 * Decimals, nested lists, references to themselves and to what owners hide, cascades, custom operations alone, other keys
 * than ids, rules of rows and of properties, tenants, lists through other resources, three levels of paths, the usual.
 */
export const UNSEEN_CONTRACTS: readonly UnseenContract[] = [
  fixture('contracts', handlers as unknown as AnyHandlers),
  fixture('cats'),
  fixture('invoices'),
  fixture('folders'),
  fixture('diary'),
  fixture('journal'),
  fixture('exchange', exchangeHandlers),
  fixture('depot'),
  fixture('practice'),
  fixture('tracker'),
  fixture('payroll'),
  fixture('workshop'),
  fixture('club'),
  fixture('conservatory'),
  { name: 'the example of the documents', handlers: {}, compiled: documentedContract },
];

/** Names that GraphQL cannot spell, and a contract that is in snake_case as a whole. */
const NAMED_CONTRACTS: readonly UnseenContract[] = [fixture('widgets'), fixture('orchard')];

let snakeDepot: Promise<CompiledContract> | undefined;

/** Keys beside ids and in place of them, in a document in snake_case. */
const KEYS_IN_SNAKE_CASE: UnseenContract = {
  name: 'the depot in snake_case',
  handlers: {},
  compiled: () => (snakeDepot ??= depotIn('snake_case').then(({ model }) => model!)),
};

/** Whatever they have is offered to agents, too. */
const OFFERING_CONTRACTS: readonly UnseenContract[] = [
  { name: 'the club for agents', handlers: {}, compiled: () => offeringAll('club') },
  { name: 'the exchange for agents', handlers: exchangeHandlers, compiled: () => offeringAll('exchange') },
  { name: 'the depot for agents that sign in', handlers: {}, compiled: () => offeringAll('depot', { isClosed: true }) },
];

/** How many seeds are tried of each contract. */
const MOST_SEEDS = Number(process.env['SEEDS'] || 20);

const seedsTo = (last: number): readonly number[] => Array.from({ length: last }, (_, i) => i + 1);

/** Keys and names are translated alike whatever is asked, so a few seeds do there. */
const FEW_SEEDS: Readonly<Record<string, number>> = {
  depot: 3,
  practice: 3,
  tracker: 3,
  payroll: 3,
  workshop: 3,
  club: 3,
  journal: 3,
  widgets: 3,
  orchard: 3,
  [KEYS_IN_SNAKE_CASE.name]: 3,
  ...Object.fromEntries(OFFERING_CONTRACTS.map(({ name }) => [name, 3])),
};

/** Each with the seeds that the long tests try. */
export const SEEDED_CONTRACTS = [
  ...UNSEEN_CONTRACTS,
  ...NAMED_CONTRACTS,
  KEYS_IN_SNAKE_CASE,
  ...OFFERING_CONTRACTS,
].map((one) => [one.name, one, seedsTo(Math.min(FEW_SEEDS[one.name] ?? MOST_SEEDS, MOST_SEEDS))] as const);

const OWNER = '01941f29-7c00-7a10-8c57-00000000000a';
const OTHER = '01941f29-7c00-7a10-8c57-00000000000b';
const SECRET = 'a secret of the tests, and long enough for HS256';
const START = new Date('2026-01-15T12:00:00.000Z');

export async function proofOf(
  { handlers: own, compiled }: UnseenContract,
  seed: number,
  samples = 4,
): Promise<ParityRecord> {
  return prove({ contract: await compiled(), handlers: own, seed, samples });
}

/** A server whose ids and times are the same in every one of its contract. */
export async function repeatableService({ handlers: own, compiled }: UnseenContract): Promise<Service> {
  let ids = 0;
  let now = START.getTime();
  return startCompiled(await compiled(), databases[0]!, own, {
    clock: () => now++,
    newId: () => `01941f29-7c00-7a10-8c57-1${String(ids++).padStart(11, '0')}`,
    checkResponses: false,
    allowMissing: true,
  });
}

/** Callers whose tokens are the same at every time. */
export const repeatableCallers = (contract: CompiledContract, secret = SECRET): Callers =>
  signedCallers(contract, secretKeys(secret), [OWNER, OTHER], START);

/** Verifies a server of the contract once. */
export async function verificationOf(unseen: UnseenContract, seed: number, runs: number): Promise<VerifyReport> {
  const { verification, close } = await verifiedService(unseen);
  const report = await verification(seed, runs);
  await close();
  return report;
}

export interface VerifiedService {
  verification(seed: number, runs: number): Promise<VerifyReport>;
  close(): Promise<void>;
}

/** A server of the contract that is verified by several seeds. */
export async function verifiedService(unseen: UnseenContract): Promise<VerifiedService> {
  const service = await repeatableService(unseen);
  const { contract, close } = service;
  const protocols = protocolsOf(contract);
  const shared = { contract, origin: 'http://server', callers: repeatableCallers(contract), fetch: fetchOf(service) };
  return { verification: (seed, runs) => verify({ ...shared, protocols, seed, runs }), close };
}

/** A server in this process, as far as `fetch` can tell. */
export function fetchOf(service: Service): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    const { status, text, headers } = await service.request(init.method ?? 'GET', pathname + search, {
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.body !== undefined && init.body !== null && { body: init.body as string }),
    });
    const { 'content-length': _, ...kept } = headers as Record<string, string>;
    return new Response([204, 304].includes(status) ? null : text, { status, headers: kept });
  };
}
