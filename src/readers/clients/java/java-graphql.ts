import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { GraphqlInput } from '../common/client-language.ts';
import { copyLayer, writeText } from '../common/layer.ts';
import { runTool } from '../common/run-tool.ts';
import { customScalars } from '../common/scalars.ts';
import { inScratchFolder } from '../common/scratch-folder.ts';
import { JAVA_MISSING } from './java-generator.ts';
import { javaOperations } from './java-operations.ts';
import { JAVA_SCALARS } from './java-scalars.ts';

/** Maven's plugin of DGS codegen, which brings the generator. */
const PLUGIN = 'io.github.deweyjose:graphqlcodegen-maven-plugin:3.5.1';

/**
 * Writes the GraphQL part of a Java client: types by DGS codegen, and a class with a method for each document. DGS's own builders
 * of queries are not used: they write the arguments into the document, so that each call is another one. Throws `ConfigError`.
 */
export async function javaGraphql(graphql: GraphqlInput, folder: string, root: string): Promise<void> {
  const sources = join(folder, 'src', 'main', 'java');
  await inScratchFolder(async (scratch) => {
    await writeText(join(scratch, 'schema.graphql'), graphql.sdl);
    await writeText(join(scratch, 'pom.xml'), pomOf(graphql, root));
    await runTool({
      command: 'mvn',
      args: ['-q', '-B', '-f', join(scratch, 'pom.xml'), `${PLUGIN}:generate`],
      missing: JAVA_MISSING,
    });
    await cp(join(scratch, 'out'), sources, { recursive: true });
  });
  const own = join(sources, ...root.split('.'));
  await copyLayer(new URL('graphql/', import.meta.url), own, { 'com.example.client': root });
  await writeText(join(own, 'Graphql.java'), javaOperations(graphql, root));
}

function pomOf({ schema }: GraphqlInput, root: string): string {
  const [groupId, artifactId, version] = PLUGIN.split(':');
  const mapping = customScalars(schema).map((name) => `<${name}>${JAVA_SCALARS[name] ?? 'java.lang.Object'}</${name}>`);
  return `<project>
  <modelVersion>4.0.0</modelVersion><groupId>client</groupId><artifactId>client</artifactId><version>1</version>
  <build><plugins><plugin>
    <groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version>
    <configuration>
      <schemaPaths><param>\${project.basedir}/schema.graphql</param></schemaPaths>
      <packageName>${root}.graphql</packageName>
      <outputDir>\${project.basedir}/out</outputDir>
      <generateClientApi>false</generateClientApi>
      <trackInputFieldSet>true</trackInputFieldSet>
      <typeMapping>${mapping.join('')}</typeMapping>
    </configuration>
  </plugin></plugins></build>
</project>
`;
}
