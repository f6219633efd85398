import { join } from 'node:path';
import { writeText } from '../common/layer.ts';
import { runTool } from '../common/run-tool.ts';
import { keptTool } from '../common/tool-cache.ts';

const VERSION = '2.8.2';
const MODULE = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen';

const GENQLIENT = '0.8.1';
/** Older ones, which genqlient asks for, do not compile with Go 1.25. */
const X_TOOLS = '0.38.0';

export const GO_MISSING = 'The Go client needs Go 1.24 or newer: its command `go` is not on the PATH.';

/** Version of the module that the GraphQL part needs when it runs. */
export const GENQLIENT_MODULE = `github.com/Khan/genqlient v${GENQLIENT}`;

/** Path of oapi-codegen, which the first call has Go build. Throws `ConfigError`. */
export async function goGenerator(): Promise<string> {
  const args = ['install', `${MODULE}@v${VERSION}`];
  const folder = await keptTool(`oapi-codegen-${VERSION}`, (made) =>
    runTool({ command: 'go', args, missing: GO_MISSING, environment: { GOBIN: made } }),
  );
  return programIn(folder, 'oapi-codegen');
}

/** Path of genqlient, which the first call has Go build. Throws `ConfigError`. */
export async function goGraphqlGenerator(): Promise<string> {
  const folder = await keptTool(`genqlient-${GENQLIENT}`, async (made) => {
    const go = (...args: readonly string[]): Promise<string> =>
      runTool({ command: 'go', args, cwd: made, missing: GO_MISSING });
    await writeText(join(made, 'go.mod'), 'module genqlient\n\ngo 1.24\n');
    await go('get', `github.com/Khan/genqlient@v${GENQLIENT}`, `golang.org/x/tools@v${X_TOOLS}`);
    await go('build', '-o', programIn(made, 'genqlient'), 'github.com/Khan/genqlient');
  });
  return programIn(folder, 'genqlient');
}

const programIn = (folder: string, name: string): string =>
  join(folder, process.platform === 'win32' ? `${name}.exe` : name);
