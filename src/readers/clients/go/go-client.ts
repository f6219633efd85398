import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Node } from '../../../compiler/read/index.ts';
import type { ErrorDescriptor } from '../../../descriptor/error.ts';
import type { ClientInput, ClientLanguage, LeftOut } from '../common/client-language.ts';
import { ACCEPTED, acceptedTypes, deepFields } from '../common/document-parts.ts';
import { generateMost } from '../common/generate-most.ts';
import { copyLayer, writeText } from '../common/layer.ts';
import { commentLine, pascalCode } from '../common/names.ts';
import { runTool } from '../common/run-tool.ts';
import { inScratchFolder } from '../common/scratch-folder.ts';
import { GoApi } from './go-api.ts';
import { goDocument, goFault } from './go-document.ts';
import { formsFile, withCookies, withForms } from './go-forms.ts';
import { GENQLIENT_MODULE, GO_MISSING, goGenerator } from './go-generator.ts';
import { goGraphql } from './go-graphql.ts';
import { type GoNames, goNames } from './go-names.ts';
import { goReadme } from './go-readme.ts';
import { goResources } from './go-resources.ts';

/** Go: oapi-codegen on net/http in the package `api`, genqlient in `graphql`, and a layer over both in the module's own package. */
export const goClient: ClientLanguage = { id: 'go', make };

/** What the generated code and the layer are tested with. */
const GO_MOD = `
go 1.24

require (
	github.com/google/uuid v1.6.0
	github.com/oapi-codegen/nullable v1.1.0
	github.com/oapi-codegen/runtime v1.8.0
)
`;

const OPTIONS = {
  package: 'api',
  generate: { models: true, client: true },
  compatibility: { 'always-prefix-enum-values': true },
  'output-options': {
    'nullable-type': true,
    'name-normalizer': 'ToCamelCaseWithInitialisms',
    'prefer-skip-optional-pointer-on-container-types': true,
    'skip-response-body-getters': true,
    // Types of payloads have no operations.
    'skip-prune': true,
  },
};

async function make(given: ClientInput): Promise<readonly LeftOut[]> {
  const generator = await goGenerator();
  const names = goNames(given);
  const generated = join(given.folder, 'api', 'api.gen.go');
  const generate = (contents: Node) =>
    inScratchFolder(async (scratch) => {
      const config = join(scratch, 'config.json');
      const document = join(scratch, 'openapi.json');
      await writeText(config, JSON.stringify({ ...OPTIONS, output: generated }));
      await writeText(document, JSON.stringify(contents));
      await writeText(
        join(given.folder, 'api', 'doc.go'),
        `// Package api is ${commentLine(given.title)}.\npackage api\n`,
      );
      await runTool({ command: generator, args: ['-config', config, document], missing: GO_MISSING });
    });
  const input = await generateMost({ ...given, document: goDocument(given.document) }, generate, goFault);
  await copyLayer(new URL('layer/', import.meta.url), input.folder, {
    'package client': `package ${names.package}`,
    'example.com/client': names.module,
    [ACCEPTED]: acceptedTypes(input.document),
  });
  const text = withCookies(await readFile(generated, 'utf8'));
  await writeText(generated, withForms(text));
  if (withForms(text) !== text) {
    await writeText(join(input.folder, 'api', 'forms.go'), formsFile(deepFields(input.document)));
  }
  const api = new GoApi(text);
  await writeText(join(input.folder, 'resources.go'), goResources(input.resources, api, names));
  await writeText(join(input.folder, 'codes.go'), codesOf(names, input.errors));
  await writeText(join(input.folder, 'README.md'), goReadme(input, names));
  const required = input.graphql ? `\nrequire ${GENQLIENT_MODULE}\n` : '';
  await writeText(join(input.folder, 'go.mod'), `module ${names.module}\n${GO_MOD}${required}`);
  if (input.graphql) await goGraphql(input.graphql, input.folder, names);
  await runTool({ command: 'go', args: ['mod', 'tidy'], cwd: input.folder, missing: GO_MISSING });
  await runTool({ command: 'go', args: ['fmt', './...'], cwd: input.folder, missing: GO_MISSING });
  return input.leftOut;
}

const codesOf = (names: GoNames, errors: readonly ErrorDescriptor[]): string => `package ${names.package}

// The codes of the contract.
const (
${errors.map(({ code, status, description }) => `\t// Code${pascalCode(code)} (${status}): ${commentLine(description)}\n\tCode${pascalCode(code)} Code = "${code}"\n`).join('')})
`;
