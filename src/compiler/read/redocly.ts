import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const MAX_OUTPUT_BYTES = 2 ** 28;
/** It would follow the URLs of examples and of extensions, which are data to us. */
const NO_DOWNLOAD = 'nothing is downloaded, keep a copy';
const OFFLINE = `data:text/javascript,globalThis.fetch = () => Promise.reject(new Error("${NO_DOWNLOAD}"));`;

/** What a command of Redocly's prints as JSON. Rejects when it prints anything else. */
export async function redocly<T>(args: readonly string[], folder: string): Promise<T> {
  // It exits with 1 when it has findings.
  const { stdout, stderr, error } = await outcomeOf([...args, '--format', 'json'], folder);
  // Else rules of the configuration that are on another host would be left out without a word.
  if (stderr.includes(NO_DOWNLOAD)) throw new Error(`its configuration names a URL: ${NO_DOWNLOAD}.`);
  try {
    return JSON.parse(stdout) as T;
  } catch {
    throw failed(args, stderr, error);
  }
}

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly error: Error | null;
}

function outcomeOf(args: readonly string[], folder: string): Promise<Outcome> {
  const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
  const command = ['--import', OFFLINE, join(dirname(manifest), 'bin', 'cli.js'), ...args];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: folder, env, maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout, stderr) =>
      resolve({ stdout, stderr, error }),
    );
  });
}

const failed = (args: readonly string[], stderr: string, error: Error | null): Error =>
  new Error(`redocly ${args[0]} failed: ${stderr.trim() || error?.message}`, { cause: error });
