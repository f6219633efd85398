import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { scopesOfRules } from '../../descriptor/row-access.ts';

/** The scopes of a contract that lift no rule of its rows. */
export function plainScopesOf(contract: CompiledContract): string[] {
  const lifting = new Set(contract.resources.flatMap(scopesOfRules));
  return scopesOf(contract).filter((scope) => !lifting.has(scope));
}

/** Every scope that an operation of the contract asks for, or that lifts a rule of its rows. */
export function scopesOf({ rest, resources }: CompiledContract): string[] {
  const requirements = rest.operations.flatMap(({ access }) => access.anyOf);
  const scopes = requirements.flatMap(({ schemes }) => schemes.flatMap((scheme) => scheme.scopes));
  return [...new Set([...scopes, ...resources.flatMap(scopesOfRules)])];
}
