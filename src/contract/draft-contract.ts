import type { ContractDraft } from './draft.ts';
import type { ContractSource } from './model.ts';
import { collectOperations } from './operations.ts';
import { recognise } from './resources/recognise.ts';

/** Recognises what a contract means, without judging it. */
export function draftContract(source: ContractSource): ContractDraft {
  const operations = collectOperations(source.document);
  return { source, document: source.document, operations, ...recognise(source.document, operations) };
}
