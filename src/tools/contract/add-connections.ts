import { oneOf } from '../../compiler/findings/wording.ts';
import { reverseConnections } from '../../compiler/graphql/convention/derive-relations.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { ContractFiles } from '../sync/contract-files.ts';
import { mergeSdl } from '../sync/merge-sdl.ts';
import { contractSide } from '../sync/sync-sdl.ts';

/** Adds connections in the opposite direction of references: `Author.books`. Throws `ConfigError` for one that nothing refers by. */
export async function addConnections(files: ContractFiles, wanted: readonly string[]): Promise<void> {
  if (wanted.length === 0) return;
  const source = await files.source();
  const side = contractSide(source);
  if ('findings' in side) return;
  const possible = reverseConnections(side);
  const definitions = wanted.map((coordinate) => {
    const found = possible.find(({ type, member }) => `${type}.${member.name}` === coordinate);
    if (found) return { kind: 'type' as const, name: found.type, members: [found.member] };
    const names = possible.map(({ type, member }) => `${type}.${member.name}`);
    throw new ConfigError([`--connection ${coordinate}: nothing refers that way; there could be ${oneOf(names)}.`]);
  });
  const texts = new Map<string, string>();
  for (const path of source.sdl?.files ?? []) texts.set(path, (await files.read(path))!);
  for (const [path, text] of mergeSdl({ files: texts, isSplit: false }, definitions)) await files.write(path, text);
}
