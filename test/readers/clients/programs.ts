import { join, posix } from 'node:path';
import { writeText } from '../../../src/readers/clients/common/layer.ts';
import type { Language } from '../../../src/readers/clients/languages.ts';
import { pythonGenerator } from '../../../src/readers/clients/python/python-generator.ts';
import { JAVAC, sh } from './support.ts';

const UUID = 'github.com/google/uuid';
const TYPES = 'github.com/oapi-codegen/runtime/types';

/** What a command prints of a folder: the package or the module of a client. */
const namedIn = async (folder: string, command: string): Promise<string> => (await sh(command, folder)).trim();

/** Writes statements that use a client `c` as a program in its folder; the command that runs it. */
const PROGRAMS: Readonly<Record<Language, (folder: string, statements: string, url: string) => Promise<string>>> = {
  async python(folder, statements, url) {
    const name = await namedIn(folder, 'basename $(dirname */bound.py)');
    const imports = `import datetime\nimport io\nfrom uuid import UUID\nfrom ${name}.connection import connect\nfrom ${name}.types import *\nfrom ${name}.models import *\n`;
    await writeText(join(folder, 'call.py'), `${imports}c = connect("${url}")\n${statements}\n`);
    return `'${(await pythonGenerator()).python}' call.py`;
  },
  async go(folder, statements, url) {
    const path = await namedIn(folder, "sed -n 's/^module //p' go.mod");
    const main = `func to[T any](value T) *T { return &value }
func main() {
	c, _ := own.New("${url}", own.Connection{})
	ctx := context.Background()
	_ = to(1)
	${statements}
}`;
    // Those that it uses: a client whose document has no need of a module does not have it either.
    const imports = ['context', 'encoding/json', 'fmt', 'strings', 'time', `${path}/api`, UUID, TYPES].filter((one) =>
      new RegExp(`\\b${posix.basename(one)}\\.`).test(main),
    );
    await writeText(
      join(folder, 'cmd/call/main.go'),
      `package main\nimport (\n${imports.map((one) => `"${one}"`).join('\n')}\nown "${path}"\n)\n${main}\n`,
    );
    return 'go vet ./... && go run ./cmd/call';
  },
  async java(folder, statements, url) {
    const name = await namedIn(folder, 'basename $(dirname src/main/java/com/example/*/Client.java)');
    await writeText(
      join(folder, 'src/main/java/Call.java'),
      `import com.example.${name}.model.*;
public class Call {
  interface Work { void run() throws Exception; }
  static void tried(Work work) { try { work.run(); } catch (Exception e) { System.out.println(e); } }
  static java.io.File file(String text) throws Exception {
    return java.nio.file.Files.writeString(java.nio.file.Files.createTempDirectory("call").resolve("a.txt"), text).toFile();
  }
  public static void main(String[] args) throws Exception {
    var c = new com.example.${name}.Client("${url}");
    ${statements}
  }
}\n`,
    );
    const paths = `-cp "target/classes:$(cat cp.txt)"`;
    return `mvn -q -B dependency:build-classpath -Dmdep.outputFile=cp.txt >/dev/null 2>&1 && mkdir -p target/classes && ${JAVAC} -nowarn -proc:none ${paths} -d target/classes $(find src -name '*.java') && java ${paths} Call`;
  },
};

/** What a program of a client prints. */
export const runProgram = async (
  language: Language,
  folder: string,
  statements: string,
  url: string,
): Promise<string> => (await sh(await PROGRAMS[language](folder, statements, url), folder)).trim();
