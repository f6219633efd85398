import type { ContractDraft } from '../model/draft.ts';
import type { ContractSource } from '../model/model.ts';
import { collectOperations } from '../model/operations.ts';
import { recognise } from './recognise.ts';

/** Recognizes the resources of a contract, without checking any rule. */
export function draftContract(source: ContractSource): ContractDraft {
  const operations = collectOperations(source.document);
  return { source, document: source.document, operations, ...recognise(source.document, operations) };
}
