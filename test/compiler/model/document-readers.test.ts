import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');

/** `document.paths`, `components?.schemas`, and both taken out of a document by their names. */
const READS =
  /(?<!resolve|\.)\.(?:paths|components)\b|\{ ?(?:paths|components)\b[^{}]*\}(?:: OpenApiDocument\b| = [\w.#]*document\b)/;

/** All others read the compiled contract. A file may leave this list, and none may join it. */
const READERS = `
src/authoring/scaffold/new-operation.ts
src/authoring/scaffold/new-resource.ts
src/authoring/sync/openapi-writer.ts
src/authoring/sync/sync-joins.ts
src/authoring/sync/sync-operations.ts
src/compiler/emit/clients/unreferenced.ts
src/compiler/emit/emit-types.ts
src/compiler/emit/filled-parameters.ts
src/compiler/emit/sealed-document.ts
src/compiler/graphql/names/rename-document.ts
src/compiler/json-schema/schemas-of.ts
src/compiler/model/filters/filter-parameters.ts
src/compiler/model/responses.ts
src/compiler/model/schemas.ts
src/compiler/model/security-schemes.ts
src/compiler/read/complete/access-words.ts
src/compiler/read/complete/complete-document.ts
src/compiler/read/complete/request-headers.ts
src/compiler/read/inheritance.ts
src/readers/clients/common/document-parts.ts
src/readers/docs/console/reference-document.ts
`;

it('the paths and components of the document are read in the files listed, and nowhere else', async () => {
  const found: string[] = [];
  for await (const path of glob('src/**/*.ts', { cwd: root }))
    if (READS.test(readFileSync(join(root, path), 'utf8'))) found.push(path.replaceAll('\\', '/'));
  expect(found.sort()).toEqual(READERS.trim().split('\n'));
});
