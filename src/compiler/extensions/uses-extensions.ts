import type { OpenApiDocument } from '../../descriptor/document.ts';
import { flattenSchema } from '../json-schema/flat-schema.ts';
import type { ObjectDraft } from '../model/draft.ts';
import { extensionUses } from './extension-uses.ts';
import { EXTENSIONS } from './extensions.ts';

/** Said of an ordinary document: that it stays one. */
const OPT_OUT = 'x-resource';

/** Whether any extension of the conventions stands anywhere in a document. */
export function usesExtensions(document: OpenApiDocument): boolean {
  return extensionUses(document).some(({ name }) => name !== OPT_OUT && Object.hasOwn(EXTENSIONS, name));
}

/** Whether a schema or one of its properties carries an extension of the conventions. */
export function hasOwnExtension(document: OpenApiDocument, schema: ObjectDraft): boolean {
  const nodes = [
    ...schema.flat.nodes,
    ...[...schema.flat.properties.values()].flatMap((site) => flattenSchema(document, ...site.schemas).nodes),
  ];
  return nodes.some((node) => Object.keys(node).some((key) => Object.hasOwn(EXTENSIONS, key)));
}
