import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { MAPPED_ERROR_CODES, standardErrors } from '../../../descriptor/standard-errors.ts';
import type { Collected, ObjectDraft } from '../draft.ts';
import { declaredErrors, ERROR_CODES } from '../errors/catalogue.ts';
import { flatSchema } from '../schemas.ts';
import { isMeant } from './extension-value.ts';
import { EXTENSIONS } from './extensions.ts';

/** Said of an ordinary document: that it stays one. */
const OPT_OUT = 'x-resource';

/**
 * Whether any extension of the conventions stands in a document, with a value and at a place that it can have: others use some of the
 * names for values of their own. Extensions that completion adds to every document do not count: released, it is read again.
 */
export function usesExtensions({ document, extensions }: Collected): boolean {
  const ignored = hasOwnErrors(document) ? [OPT_OUT] : [OPT_OUT, ERROR_CODES];
  return extensions.some((use) => !ignored.includes(use.name) && isMeant(use));
}

/** Whether a document declares others than the errors that every server has. */
function hasOwnErrors(document: OpenApiDocument): boolean {
  const declared = declaredErrors(document);
  const unmapped = (codes: readonly string[]): string => codes.filter((code) => !MAPPED_ERROR_CODES.has(code)).join();
  return declared !== undefined && unmapped(declared.codes) !== unmapped(Object.keys(standardErrors));
}

/** Whether a schema or one of its properties carries an extension of the conventions. */
export function hasOwnExtension(document: OpenApiDocument, schema: ObjectDraft): boolean {
  const nodes = [
    ...schema.flat.nodes,
    ...[...schema.flat.properties.values()].flatMap((site) => flatSchema(document, ...site.schemas).nodes),
  ];
  return nodes.some((node) => Object.keys(node).some((key) => Object.hasOwn(EXTENSIONS, key)));
}
