import { oneOf } from '../../compiler/findings/index.ts';
import { reverseConnections } from '../../compiler/graphql/convention/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { ContractFiles } from '../sync/contract-files.ts';
import { mergeSdl } from '../sync/merge-sdl.ts';
import { openContract } from '../sync/open-contract.ts';

/** Adds connections in the opposite direction of references: `Author.books`. Throws `ConfigError` for one that nothing refers by. */
export async function addConnections(files: ContractFiles, wanted: readonly string[]): Promise<void> {
  if (wanted.length === 0) return;
  const contract = await openContract(files);
  if ('findings' in contract) return;
  const possible = reverseConnections(contract.side);
  const definitions = wanted.map((coordinate) => {
    const found = possible.find(({ type, member }) => `${type}.${member.name}` === coordinate);
    if (found) return { kind: 'type' as const, name: found.type, members: [found.member] };
    const names = possible.map(({ type, member }) => `${type}.${member.name}`);
    throw new ConfigError([`--connection ${coordinate}: nothing refers that way; there could be ${oneOf(names)}.`]);
  });
  await mergeSdl(files, contract.source.sdl?.files ?? [], definitions);
}
