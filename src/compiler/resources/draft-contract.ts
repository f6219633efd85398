import type { ContractDraft } from '../model/draft.ts';
import type { ContractSource } from '../model/model.ts';
import { collectOperations } from '../model/operations.ts';
import { recognise } from './recognise.ts';

/** Recognises what a contract means, without judging it. */
export function draftContract(source: ContractSource): ContractDraft {
  const operations = collectOperations(source.document);
  return { source, document: source.document, operations, ...recognise(source.document, operations) };
}
