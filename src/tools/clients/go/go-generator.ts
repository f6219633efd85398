import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../common/run-tool.ts';
import { toolCache } from '../common/tool-cache.ts';

const VERSION = '2.8.2';
const MODULE = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen';

export const GO_MISSING = 'The Go client needs Go 1.24 or newer: its command `go` is not on the PATH.';

/** Path of oapi-codegen, which the first call has Go build. Throws `CommandFailure`. */
export async function goGenerator(): Promise<string> {
  const folder = toolCache(`oapi-codegen-${VERSION}`);
  const generator = join(folder, process.platform === 'win32' ? 'oapi-codegen.exe' : 'oapi-codegen');
  const args = ['install', `${MODULE}@v${VERSION}`];
  if (!existsSync(generator))
    await runTool({ command: 'go', args, missing: GO_MISSING, environment: { GOBIN: folder } });
  return generator;
}
