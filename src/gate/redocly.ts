import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const MAX_OUTPUT_BYTES = 2 ** 28;

/** What a command of Redocly's prints as JSON. Rejects when it prints anything else. */
export function redocly<T>(args: readonly string[], folder: string): Promise<T> {
  const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
  const command = [join(dirname(manifest), 'bin', 'cli.js'), ...args, '--format', 'json'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((resolve, reject) => {
    // It exits with 1 when it has something to tell.
    execFile(process.execPath, command, { cwd: folder, env, maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout) as T);
      } catch {
        reject(new Error(`redocly ${args[0]} failed: ${stderr.trim() || error?.message}`, { cause: error }));
      }
    });
  });
}
