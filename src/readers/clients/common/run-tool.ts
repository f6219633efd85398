import { spawn } from 'node:child_process';
import { ConfigError } from '../../../descriptor/config-error.ts';

export interface ToolCall {
  readonly command: string;
  readonly args: readonly string[];
  /** What to install if the command is missing. */
  readonly missing: string;
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A tool that ran and failed. */
export class ToolFailure extends ConfigError {
  /** All that it wrote. */
  readonly output: string;

  constructor(command: string, output: string) {
    const last = output.trim().split('\n').slice(-LAST_LINES).join('\n');
    super([`\`${command}\` failed:\n${last}`]);
    this.output = output;
  }
}

/** Lines of a tool's output that explain why it failed. */
const LAST_LINES = 30;

/**
 * Runs a tool of another language and returns its stdout. Throws `ConfigError`: `missing` when the command does not exist, the end of its
 * output when it fails (`ToolFailure`).
 */
export function runTool({ command, args, missing, cwd, environment }: ToolCall): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let both = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      both += chunk;
    });
    child.stderr.on('data', (chunk) => {
      both += chunk;
    });
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new ConfigError([missing]) : error),
    );
    child.once('close', (code) => {
      if (code === 0) return resolve(stdout);
      reject(new ToolFailure([command, ...args].join(' '), both));
    });
  });
}
