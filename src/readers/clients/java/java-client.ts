import { join } from 'node:path';
import { removeUnreferenced, renameSchemas, spdxOf } from '../../../compiler/emit/clients/index.ts';
import { resolveReference } from '../../../compiler/json-schema/index.ts';
import { isNode, type Node, nodesBelow } from '../../../compiler/read/index.ts';
import type { ClientInput, ClientLanguage, LeftOut } from '../common/client-language.ts';
import { constantsToEnums, deepFields, keepResults, mapsIn, parametersIn } from '../common/document-parts.ts';
import { generateMost } from '../common/generate-most.ts';
import { copyLayer, writeText } from '../common/layer.ts';
import { runTool } from '../common/run-tool.ts';
import { inScratchFolder } from '../common/scratch-folder.ts';
import { generatedNames, namesTemplate } from './generated-names.ts';
import { javaCallNames } from './java-call-names.ts';
import { cookieFault, withoutCookies } from './java-cookies.ts';
import { JAVA_MISSING, javaGenerator } from './java-generator.ts';
import { javaGraphql } from './java-graphql.ts';
import { mendJava } from './java-mends.ts';
import { hideTexts, javaNameMappings } from './java-names.ts';
import { javaProblems } from './java-problems.ts';
import { javaReadme } from './java-readme.ts';
import { javaResources } from './java-resources.ts';
import { javaPackageOf } from './java-sample.ts';

/** It ends before what a server would optimise pays: half the CPU. */
const SHORT_RUN = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Java: openapi-generator's `native` library on `java.net.http` and Jackson, DGS codegen's types, and a layer over both. */
export const javaClient: ClientLanguage = { id: 'java', make };

const OPTIONS = {
  library: 'native',
  useJakartaEe: 'true',
  useSingleRequestParameter: 'true',
  openApiNullable: 'true',
  // Without the look-up by discriminator, the default case of enums would match the first variant of every union.
  useOneOfDiscriminatorLookup: 'true',
  enumUnknownDefaultCase: 'true',
  // What is not set is not sent: an empty list would change something.
  containerDefaultToNull: 'true',
  hideGenerationTimestamp: 'true',
};

const LEFT_OUT = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';

/** Of what the generator would write besides, for other ways of building and publishing. */
const IGNORED = [
  '.github/**',
  '.travis.yml',
  'api/**',
  'build.*',
  'git_push.sh',
  'gradle*/**',
  'gradle*',
  'settings.gradle',
  'README.md',
  'src/main/AndroidManifest.xml',
];

async function make(given: ClientInput): Promise<readonly LeftOut[]> {
  const jar = await javaGenerator();
  const root = given.packageName ?? javaPackageOf(given.name);
  const generate = (document: Node) =>
    inScratchFolder(async (scratch) => {
      const path = join(scratch, 'openapi.json');
      await writeText(path, JSON.stringify(document));
      await writeText(join(given.folder, '.openapi-generator-ignore'), `${IGNORED.join('\n')}\n`);
      await runTool({
        command: 'java',
        args: [
          ...SHORT_RUN,
          '-jar',
          jar,
          ...generatorArguments(given, path, root),
          '--config',
          await namesTemplate(scratch, { additionalProperties: optionsOf(given), ...javaNameMappings(document) }),
        ],
        missing: JAVA_MISSING,
      });
      await mendJava(given.folder, root);
    });
  const unsent = withoutCookies(given.document);
  const maps = mapsIn(given.document);
  const input = await generateMost({ ...given, document: javaDocument(given.document) }, generate, cookieFault);
  const folder = join(input.folder, 'src', 'main', 'java', ...root.split('.'));
  await copyLayer(new URL('layer/', import.meta.url), folder, {
    'com.example.client': root,
    'DEEP = Set.of()': `DEEP = ${setOf([...maps.deep, ...deepFields(input.document)])}`,
    'PLAIN = Set.of()': `PLAIN = ${setOf(maps.plain)}`,
  });
  await writeText(join(folder, 'Problems.java'), javaProblems(root, input.errors));
  const names = await generatedNames(input.folder);
  const calls = javaCallNames(input.resources, names.operations.keys());
  for (const [path, text] of javaResources(input.resources, calls, names, root))
    await writeText(join(folder, path), text);
  if (input.graphql) await javaGraphql(input.graphql, input.folder, root);
  await writeText(join(input.folder, 'README.md'), javaReadme(input, calls, root, unsent));
  return input.leftOut;
}

const setOf = (names: readonly string[]): string =>
  `Set.of(${[...new Set(names)].map((name) => JSON.stringify(name)).join(', ')})`;

/** Failures are exceptions of the layer, and constants are enums of one value. */
function javaDocument(document: Node): Node {
  keepResults(document, /^2/);
  constantsToEnums(document);
  for (const { node, kind } of nodesBelow(document, 'document')) {
    if (kind !== 'schema') continue;
    widenUnion(document, node);
    widenInteger(node);
  }
  for (const parameter of parametersIn(document)) widenParameter(document, parameter);
  hideTexts(document);
  renameSchemas(document, (name) => (TAKEN.test(name) ? `${name}Model` : name));
  removeUnreferenced(document);
  // The generator refuses one without an SPDX identifier, and reads none.
  delete (document['info'] as Node)['license'];
  return document;
}

/** Classes that generated code uses by their own names. */
const TAKEN =
  /^(?:Map|List|Set|String|Object|Integer|Long|Double|Float|Boolean|Number|Byte|Short|Void|Enum|Class|Arrays|Objects|HashMap|ArrayList|LinkedHashSet|File|URI|UUID|Optional|Override|Exception|Pair|Configuration|AnswerReader|BodyWriter|ApiClient|ApiException|ApiResponse|JSON|Void|Collection|Consumer|StringJoiner|LocalDate|OffsetDateTime|BigDecimal)$/i;

/** A union with a list or a map would become `List<String>.class`, which is no Java: its values have any type. */
function widenUnion(document: Node, schema: Node): void {
  const variants = [schema['oneOf'], schema['anyOf']].flat().filter(isNode);
  const isGeneric = (variant: Node) => {
    const own = resolveReference<Node>(document, variant) ?? {};
    return [own['type']].flat().includes('array') || Boolean(own['additionalProperties'] && !isNode(own['properties']));
  };
  if (!variants.some(isGeneric)) return;
  for (const name of ['oneOf', 'anyOf', 'type', 'discriminator']) delete schema[name];
}

/** Integers of formats that the generator does not know would have 32 bits. */
function widenInteger(schema: Node): void {
  const { type, format } = schema;
  if ([type].flat().includes('integer') && format !== undefined && !SMALL.test(String(format)))
    schema['format'] = 'int64';
}

const SMALL = /^(?:int32|u?int(?:8|16))$/;

/** A union of scalars would be written as its class is: its values have any type. */
function widenParameter(document: Node, parameter: Node): void {
  const { oneOf, anyOf } = resolveReference<Node>(document, parameter['schema'] as Node) ?? {};
  const variants = [oneOf ?? [], anyOf ?? []].flat().map((one) => resolveReference<Node>(document, one as Node) ?? {});
  const isScalar = ({ type, properties }: Node) =>
    !properties && ![type].flat().some((one) => one === 'object' || one === 'array');
  if (variants.length > 0 && variants.every(isScalar)) parameter['schema'] = {};
}

const generatorArguments = ({ name, version, folder }: ClientInput, document: string, root: string): string[] => [
  ...['generate', '--generator-name', 'java', '--input-spec', document, '--output', folder],
  ...['--invoker-package', `${root}.invoker`, '--api-package', `${root}.api`, '--model-package', `${root}.model`],
  ...['--group-id', root.split('.').slice(0, 2).join('.'), '--artifact-id', name, '--artifact-version', version],
  ...['--global-property', LEFT_OUT],
];

/** Options, with the texts of `pom.xml`: the generator's own would be of somebody else. */
function optionsOf({ title, baseUrl, publication }: ClientInput): Readonly<Record<string, string>> {
  const { license, contact } = publication;
  const url = contact.url ?? baseUrl;
  const texts = {
    artifactDescription: `Client of ${title}, generated from its contract.`,
    artifactUrl: url,
    scmConnection: `scm:git:${url}`,
    scmDeveloperConnection: `scm:git:${url}`,
    scmUrl: url,
    licenseName: spdxOf(publication) ?? license.name ?? 'All rights reserved',
    licenseUrl: license.url ?? '',
    developerName: contact.name ?? '',
    developerEmail: contact.email ?? '',
    developerOrganization: contact.name ?? '',
    developerOrganizationUrl: contact.url ?? '',
  };
  return { ...OPTIONS, ...texts };
}
