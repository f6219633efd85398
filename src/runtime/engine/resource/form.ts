import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { nodeAt, referenceTo } from '../../../descriptor/references.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { formOfText } from './row-codec.ts';

/** Names all that makes up the text of a row beside its values: its properties, and their schemas with all that these refer to. */
export function formOf({ properties, schemas }: ResourceDescriptor, document: OpenApiDocument): string {
  const parts = new Map<string, unknown>();
  const collect = (part: unknown): void => {
    for (const [, reference = ''] of JSON.stringify(part ?? null).matchAll(/"\$ref":"([^"]+)"/g)) {
      if (parts.has(reference)) continue;
      parts.set(reference, nodeAt(document, reference));
      collect(parts.get(reference));
    }
  };
  collect(referenceTo(document, schemas.resource));
  return formOfText(JSON.stringify([properties, ...parts]));
}
