import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../../src/readers/clients/index.ts';
import { withFolder } from '../../support/folder.ts';
import { hasToolchain } from '../../support/toolchains.ts';
import { makeClient } from './support.ts';

const LICENSE = 'Apache License, Version 2.0\n';
const CONTACT = '{ name: "Acme, Inc.", email: api@acme.example, url: "https://acme.example" }';

/** Where a package says it, and how. */
const SAYS: Readonly<Record<Language, { readonly file: string; readonly lines: readonly string[] }>> = {
  python: { file: 'pyproject.toml', lines: ['authors = ["Acme, Inc. <api@acme.example>"]', 'license = "Apache-2.0"'] },
  go: { file: 'README.md', lines: ['Licence: Apache-2.0.', 'Acme, Inc. <api@acme.example> <https://acme.example>'] },
  java: {
    file: 'pom.xml',
    lines: ['<name>Apache-2.0</name>', '<email>api@acme.example</email>', '<organization>Acme, Inc.</organization>'],
  },
};

describe.each(LANGUAGES.filter(hasToolchain))('the client in %s', (language) => {
  test("carries the contract's licence and authors, and the LICENSE of its project", async () => {
    const contract = await readFile('test/fixtures/cats/openapi.yaml', 'utf8');
    const licensed = contract.replace(/license:\n.*\n.*\n/, `license: { name: Apache 2.0 }\n  contact: ${CONTACT}\n`);
    await withFolder({ LICENSE, 'contracts/openapi.yaml': licensed }, async (folder) => {
      const client = await makeClient(language, join(folder, 'contracts'));
      expect(await readFile(join(client, 'LICENSE'), 'utf8')).toBe(LICENSE);
      const { file, lines } = SAYS[language];
      const text = await readFile(join(client, file), 'utf8');
      for (const line of lines) expect(text).toContain(line);
    });
  });
});
