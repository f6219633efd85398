import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';
import { proveNested } from './nested-cases.ts';
import { populate } from './population.ts';
import { Proof } from './proof.ts';
import { proveGet, proveList } from './reads-cases.ts';
import type { ParityRecord } from './record.ts';
import { type Defect, startTwins } from './twins.ts';
import { proveChange, proveCreate, proveDelete } from './writes-cases.ts';

export interface ProveOptions {
  readonly contract: CompiledContract;
  readonly handlers?: AnyHandlers;
  readonly seed?: number;
  /** Faulty inputs for each action that takes one, and queries for each list; all, if left out. */
  readonly samples?: number;
  /** Breaks the server that GraphQL is asked of. */
  readonly defect?: Defect;
  /** Ends with the first difference. */
  readonly isBrief?: boolean;
}

export const DEFAULT_SEED = 20_260_115;

/** Runs every action of a contract through both protocols. Throws when the contract has no GraphQL side. */
export async function prove({
  contract,
  handlers = {},
  seed = DEFAULT_SEED,
  samples = Number.POSITIVE_INFINITY,
  defect,
  isBrief = false,
}: ProveOptions): Promise<ParityRecord> {
  if (!contract.graphql) throw new Error('The contract has no GraphQL side: there is nothing to compare.');
  const twins = await startTwins(contract, handlers, defect);
  try {
    const proof = Proof.open({ contract, twins, seed, defect });
    await populate(proof);
    await proof.events.open(subscribers(proof), proof.rows);
    for (const part of partsOf(proof, samples)) {
      await part();
      if (isBrief && proof.record.differed > 0) break;
    }
    return proof.finish();
  } finally {
    await twins.close();
  }
}

/** Deletions come last, of what refers to others first. */
function* partsOf(proof: Proof, samples: number): Generator<() => Promise<void>> {
  for (const resource of proof.resources) {
    const { actions } = resource;
    if (actions.get) yield () => proveGet(proof, resource);
    if (actions.list) yield () => proveList(proof, resource, samples);
    yield () => proveNested(proof, resource, samples);
    if (actions.create) yield () => proveCreate(proof, resource, samples);
    if (actions.replace) yield () => proveChange(proof, resource, 'replace', samples);
    if (actions.update) yield () => proveChange(proof, resource, 'update', samples);
  }
  for (const resource of [...proof.resources].reverse())
    if (resource.actions.delete) yield () => proveDelete(proof, resource);
}

function subscribers({ callers: { anonymous, owner, other, free } }: Proof) {
  return [anonymous, owner, other, free];
}
