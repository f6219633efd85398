import { systemFault } from '../descriptor/config-error.ts';
import type { Claims } from '../runtime/auth/index.ts';
import { readConfig } from '../runtime/settings/index.ts';
import { nameOf } from '../runtime/storage/database/index.ts';
import { findAction } from '../tools/find-action.ts';
import { contractFor } from '../tools/served-contract.ts';
import { type AskedDatabase, openAskedDatabase } from './explain/asked-database.ts';
import { ANONYMOUS, type AskedCaller, callerWith, kindsOfCaller } from './explain/callers.ts';
import { Explainer } from './explain/explain-action.ts';
import type { Explanation } from './explain/explanation.ts';
import { formatExplanations } from './explain/format-explanation.ts';

export interface ExplainOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Claims of a token, or nobody's; undefined: each kind of caller. */
  readonly as?: Claims | 'anonymous' | undefined;
  /** `sqlite`, `postgres`, or the URL of a Postgres. */
  readonly database: string;
  readonly format: 'human' | 'json';
}

/** Prints who may do what with an action, and why. Throws `CommandFailure`. */
export async function explainContract(name: string, options: ExplainOptions): Promise<void> {
  const contract = await contractFor({ contracts: options.contracts, handlers: undefined, sample: undefined });
  const asked = findAction(contract, name);
  const callers = options.as === undefined ? kindsOfCaller(asked, contract) : [callerOf(options.as)];
  const database = await openDatabase(options.database, contract.resources);
  try {
    const explainer = new Explainer(contract, database);
    const explanations: Explanation[] = [];
    for (const caller of callers) explanations.push(await explainer.explain(asked, caller));
    console.log(printed(explanations, database, options));
  } finally {
    await database.close();
  }
}

const callerOf = (as: Claims | 'anonymous'): AskedCaller =>
  as === 'anonymous' ? ANONYMOUS : callerWith(as, readConfig(process.env).jwtScopeClaims);

async function openDatabase(named: string, resources: Parameters<typeof openAskedDatabase>[1]): Promise<AskedDatabase> {
  try {
    return await openAskedDatabase(named, resources);
  } catch (error) {
    throw named.includes(':') ? systemFault('--database', nameOf({ kind: 'postgres', url: named }), error) : error;
  }
}

function printed(
  explanations: readonly Explanation[],
  { name }: AskedDatabase,
  { as, format }: ExplainOptions,
): string {
  if (format === 'human') return formatExplanations(explanations, name);
  return JSON.stringify(as === undefined ? explanations : explanations[0], undefined, 2);
}
