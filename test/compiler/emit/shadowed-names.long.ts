import { cp } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readField } from '../../../src/authoring/scaffold/field.ts';
import { addResource } from '../../../src/authoring/scaffold/new-resource.ts';
import { nounOf } from '../../../src/authoring/scaffold/noun.ts';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import { kebabCase } from '../../../src/compiler/model/naming.ts';
import { withFolder } from '../../support/folder.ts';
import { libraryFrom, typeErrors } from '../../support/type-check.ts';

/** Names of TypeScript, of platforms, of graphql-codegen and of generated code. */
const NAMES =
  `Record Promise Omit Pick Array ReadonlyArray Error Map Blob Response Request Buffer Object Symbol Client Context
  Handler Maybe Scalars Resolver Incremental List ErrorCode Resources`.split(/\s+/);

it('a contract may call its resources as generated code calls other types', async () => {
  const { files } = await withFolder({}, async (folder) => {
    await cp('test/fixtures/cats', folder, { recursive: true });
    for (const name of NAMES) {
      const noun = nounOf(`${kebabCase(name)}-rows`, kebabCase(name));
      await addResource(folder, noun, [readField('name:string!')]);
    }
    return compileContract(folder, libraryFrom(0));
  });
  const errors = await typeErrors(Object.fromEntries(files!));
  expect([...errors].filter(([, texts]) => texts.length > 0)).toEqual([]);
});
