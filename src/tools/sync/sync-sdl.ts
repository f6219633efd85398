import { deriveSdl } from '../../compiler/graphql/convention/derive-sdl.ts';
import type { ContractFiles } from './contract-files.ts';
import { mergeSdl } from './merge-sdl.ts';
import { openContract, type Unreadable } from './open-contract.ts';

/** Adds to the SDL of a contract what its OpenAPI side implies; a contract without SDL gets one. Resolves with what cannot be derived. */
export async function syncSdl(files: ContractFiles): Promise<{ readonly gaps: readonly string[] } | Unreadable> {
  const contract = await openContract(files);
  if ('findings' in contract) return contract;
  const { definitions, gaps } = deriveSdl(contract.side);
  await mergeSdl(files, contract.source.sdl?.files ?? [], definitions);
  return { gaps };
}
