import { schemasOf } from '../../json-schema/schemas-of.ts';
import type { ContractDraft } from '../draft.ts';
import { extensionUses } from '../extensions/extension-uses.ts';
import { collectOperations, collectPaths } from '../operations.ts';
import type { ContractSource } from '../source.ts';
import { recognise } from './recognise.ts';

/** Recognizes the resources of a contract, without checking any rule. */
export function draftContract(source: ContractSource): ContractDraft {
  const { document } = source;
  const paths = collectPaths(document);
  const operations = collectOperations(document, paths);
  const schemas = schemasOf(document) as ContractDraft['schemas'];
  const extensions = [...extensionUses({ document, operations, schemas }), ...(source.ignored ?? [])];
  const found = { document, operations, schemas, extensions };
  return { source, paths, ...found, ...recognise(found, source.sdl !== undefined) };
}
