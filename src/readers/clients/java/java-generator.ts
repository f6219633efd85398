import { join } from 'node:path';
import { runTool } from '../common/run-tool.ts';
import { keptTool } from '../common/tool-cache.ts';

const VERSION = '7.17.0';
const ARTIFACT = `org.openapitools:openapi-generator-cli:${VERSION}`;

export const JAVA_MISSING =
  'The Java client needs a JDK from version 11 on (over GraphQL: from 17 on) and Maven: their commands `java` and `mvn` are not on the PATH.';

/** Path of the generator's jar, which the first call has Maven fetch. Throws `ConfigError`. */
export async function javaGenerator(): Promise<string> {
  const folder = await keptTool(`openapi-generator-${VERSION}`, async (made) => {
    const get = ['org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get', '-Dtransitive=false'];
    const copy = ['org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy', `-DoutputDirectory=${made}`];
    for (const goal of [get, copy])
      await runTool({ command: 'mvn', args: ['-q', '-B', ...goal, `-Dartifact=${ARTIFACT}`], missing: JAVA_MISSING });
  });
  return join(folder, `openapi-generator-cli-${VERSION}.jar`);
}
