import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import {
  ACTIONS,
  type Action,
  furtherPaths,
  isAction,
  isOwn,
  operationsOf,
  type ResourceOperation,
} from '../../descriptor/resource.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';
import { protocolsOf, requestsOf } from '../harness/protocols.ts';
import { type Defect, startServers } from '../harness/servers.ts';
import type { Unmet } from '../harness/successes.ts';
import { proveBatches } from './batch-cases.ts';
import { proveCustoms } from './custom-cases.ts';
import { DEFAULT_SEED } from './default-seed.ts';
import { proveIncludes } from './include-cases.ts';
import { insist } from './insist.ts';
import { proveLinks } from './link-cases.ts';
import { proveNested } from './nested-cases.ts';
import { populate } from './population.ts';
import { Proof } from './proof.ts';
import { proveGet, proveList } from './read-cases.ts';
import type { ParityRecord } from './record.ts';
import { databaseOf } from './tables-file.ts';
import { proveTotals } from './totals-cases.ts';
import { proveChange, proveCreate, proveDelete } from './write-cases.ts';

export interface ProveOptions {
  readonly contract: CompiledContract;
  readonly handlers?: AnyHandlers;
  readonly seed?: number;
  /**
   * Number of invalid inputs tried for each action, of queries for each list, and of kinds of callers where several ask
   * the same; all if left out.
   */
  readonly samples?: number;
  /** URL of a Postgres to make the databases on; SQLite if left out. */
  readonly database?: string | undefined;
  /** A file of SQL that makes the tables that the contract maps, and their rows, on that Postgres. */
  readonly tables?: string | undefined;
  /** Breaks the servers that are compared with that of REST. */
  readonly defect?: Defect;
  /** Stops at the first difference. */
  readonly isBrief?: boolean;
}

/** Runs every action of a contract over each protocol. Throws when it is served over REST alone, and `CommandFailure` for `tables`. */
export async function prove({
  contract,
  handlers = {},
  seed = DEFAULT_SEED,
  samples = Number.POSITIVE_INFINITY,
  database,
  tables: file,
  defect,
  isBrief = false,
}: ProveOptions): Promise<ParityRecord> {
  const requests = requestsOf(contract);
  const protocols = protocolsOf(requests);
  if (protocols.length === 1)
    throw new Error('The contract has neither a GraphQL schema nor `x-mcp`, so there is nothing to compare.');
  const tables = file !== undefined && database !== undefined ? await databaseOf(file, database) : undefined;
  try {
    const servers = await startServers({ contract, handlers, protocols, database, tables, defect });
    try {
      const overridden = new Set(Object.keys(handlers.operations ?? {}));
      const proof = new Proof({
        contract,
        protocols,
        requests,
        servers,
        seed,
        samples,
        overridden,
        hasTables: tables !== undefined,
      });
      await populate(proof);
      proof.renewClaims();
      await proof.events.open(subscribers(proof), proof.rows);
      for (const part of partsOf(proof)) {
        await part();
        if (isBrief && proof.record.differed > 0) break;
      }
      proof.record.events = proof.events.count;
      const unmet = proof.record.successes.unmet(comparable(proof), contract);
      proof.record.unmet = tables ? unmet.map(advised) : unmet;
      return proof.record;
    } finally {
      await servers.close();
    }
  } finally {
    await tables?.drop();
  }
}

/** Deletions come last, and rows that refer to others are deleted first. */
function* partsOf(proof: Proof): Generator<() => Promise<void>> {
  for (const resource of proof.resources) {
    const { actions } = resource;
    if (actions.get) yield () => proveGet(proof, resource);
    if (actions.list) yield () => proveList(proof, resource);
    yield () => proveTotals(proof, resource);
    yield () => proveNested(proof, resource);
    yield () => proveIncludes(proof, resource);
    if (actions.create) yield () => proveCreate(proof, resource);
    if (actions.replace) yield () => proveChange(proof, resource, 'replace');
    if (actions.update) yield () => proveChange(proof, resource, 'update');
    yield () => proveBatches(proof, resource);
    yield () => proveLinks(proof, resource);
    for (const action of new Set<Action>(['create', ...ACTIONS]))
      if (actions[action] && action !== 'delete') yield () => insist(proof, resource, action);
  }
  yield () => proveCustoms(proof);
  for (const resource of [...proof.resources].reverse())
    if (resource.actions.delete) {
      yield () => proveDelete(proof, resource);
      yield () => insist(proof, resource, 'delete');
    }
}

/** The operations that other protocols have as well, whether or not there were rows to ask them about. */
function comparable({ resources, graphql, tools, compares, record }: Proof): readonly string[] {
  const all = resources.flatMap((resource) => {
    const [get] = graphql?.route(resource, 'get')?.fields ?? [];
    const paths = furtherPaths(resource);
    const isAsked = (operation: ResourceOperation): boolean => {
      const path = paths.find(({ operationId }) => operationId === operation.operationId);
      if (tools?.of(operation.operationId)) return true;
      if (path) return get?.params[path.property] !== undefined;
      if (!isAction(operation.action))
        return Object.values(graphql?.descriptor.fields ?? {}).some(
          (one) => one.kind === operation.action && 'operationId' in one && one.operationId === operation.operationId,
        );
      return isOwn(resource, operation) ? compares(resource, operation.action) : graphql !== undefined;
    };
    return operationsOf(resource).flatMap((one) => (isAsked(one) ? [one.operationId] : []));
  });
  return [...new Set([...all, ...record.successes.asked])];
}

function subscribers({ callers: { anonymous, owner, other, unrestricted } }: Proof) {
  return [anonymous, owner, other, unrestricted];
}

/** Tables of others may check more than their contract says. */
const advised = (one: Unmet): Unmet => (one.excuse === undefined ? { ...one, reason: `${one.reason}${ADVICE}` } : one);
const ADVICE =
  '. If the table checks more than the contract says, describe it by bounds, patterns or enums, or add rows to the file, whose values are tried.';
