import { emitClientDocument } from '../../../compiler/emit/clients/index.ts';
import { type ContractModel, collectOperations } from '../../../compiler/model/index.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { operationWithId } from '../../../descriptor/rest.ts';

/** A contract as clients are made of it: each operator of a filter is a parameter, and the keys of `sort` have names. */
export function clientModel(model: ContractModel): ContractModel {
  const document: OpenApiDocument = JSON.parse(emitClientDocument(model));
  const drafts = collectOperations(document);
  const operations = model.operations.map((operation) => ({
    ...operation,
    parameters: operationWithId(drafts, operation.operationId).parameters,
  }));
  return { ...model, document, operations };
}
