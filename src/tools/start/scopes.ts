import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { readOperations } from '../../runtime/rest/operation.ts';

/** Every scope that an operation of the contract asks for. */
export function scopesOf({ document }: CompiledContract): string[] {
  const requirements = readOperations(document).flatMap(({ access }) => access.anyOf);
  const scopes = requirements.flatMap(({ schemes }) => schemes.flatMap((scheme) => scheme.scopes));
  return [...new Set(scopes)];
}
