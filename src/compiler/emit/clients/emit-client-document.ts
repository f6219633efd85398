import { HTTP_METHODS } from '../../../descriptor/document.ts';
import { apart } from '../../model/alike-names.ts';
import type { ContractModel } from '../../model/model.ts';
import { problemNames } from '../../read/complete/problem-schemas.ts';
import { asNode, isNode, type Node } from '../../read/grammar.ts';
import { sealedDocument } from '../sealed-document.ts';
import { simplifyBodies } from './client-bodies.ts';
import { removeUnread } from './client-extensions.ts';
import type { ClientOperation } from './client-operation.ts';
import { simplifyResponses } from './client-responses.ts';
import { simplifySchemas } from './client-schemas.ts';
import { flattenFilters } from './flat-filters.ts';
import { makeTextsInert } from './inert-text.ts';
import { removeFieldsOfLayers } from './layer-parameters.ts';
import { plainSchemas, renameSchemas } from './plain-schemas.ts';
import { nameSortKeys } from './sort-keys.ts';
import { PAYLOADS, pointersIn, removeUnreferenced } from './unreferenced.ts';

/**
 * `clients/openapi.json`: the document as generators of other languages digest it. It describes the same requests and
 * answers in fewer of OpenAPI's words; what a generator would only misread is left out.
 */
export function emitClientDocument(model: ContractModel): string {
  const sealed = sealedDocument(model.document);
  const copy = asNode(sealed);
  const operations = operationsOf(copy);
  removeWebhooks(copy);
  removeFieldsOfLayers(copy, operations);
  flattenFilters(sealed, operations);
  simplifyBodies(copy, operations);
  simplifyResponses(copy, operations, problemNames(model.document).problem);
  nameSortKeys(copy, operations);
  plainSchemas(copy, operations);
  renameSchemas(copy, apart);
  simplifySchemas(copy);
  removeUnread(copy);
  makeTextsInert(copy);
  removeUnreferenced(copy);
  return `${JSON.stringify(copy, undefined, 2)}\n`;
}

/** Generators take webhooks for operations of their tags. The types of their payloads stay: an extension refers to them. */
function removeWebhooks(document: Node): void {
  const payloads = pointersIn(document['webhooks']).filter((pointer) => pointer.startsWith('/components/schemas/'));
  if (payloads.length > 0) document[PAYLOADS] = [...new Set(payloads)].map((pointer) => ({ $ref: `#${pointer}` }));
  delete document['webhooks'];
}

function operationsOf({ paths }: Node): ClientOperation[] {
  const items = Object.values(paths as Record<string, Node>);
  return items.flatMap((item) =>
    HTTP_METHODS.flatMap((method) => {
      const node = item[method];
      return isNode(node) ? [{ node, item }] : [];
    }),
  );
}
