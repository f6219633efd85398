import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { scopesOfRules } from '../../descriptor/row-access.ts';
import { readOperations } from '../../runtime/rest/operation.ts';

/** Every scope that an operation of the contract asks for, or that lifts a rule of its rows. */
export function scopesOf({ document, resources }: CompiledContract): string[] {
  const requirements = readOperations(document).flatMap(({ access }) => access.anyOf);
  const scopes = requirements.flatMap(({ schemes }) => schemes.flatMap((scheme) => scheme.scopes));
  return [...new Set([...scopes, ...resources.flatMap(scopesOfRules)])];
}
