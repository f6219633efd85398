import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

const ARGUMENTS = ['--watch', '--preserveWatchOutput', '--noEmit', '--pretty', '--locale', 'en'];
/** Below that of the server, and of whatever else the machine has to do. */
const PRIORITY = 10;

/**
 * Checks the types of the project in the working directory by the project's own `tsc --watch`, of any release; each outcome is
 * printed. A project without a `tsconfig.json` or without TypeScript is not checked.
 */
export class TypeCheck {
  #process: ChildProcess | undefined;

  start(): void {
    const tsc = existsSync('tsconfig.json') ? ownTsc() : undefined;
    if (this.#process || tsc === undefined) return;
    const detached = process.platform !== 'win32';
    const running = spawn(process.execPath, [tsc, ...ARGUMENTS], { stdio: ['ignore', 'pipe', 'inherit'], detached });
    this.#process = running;
    running.once('spawn', () => setPriority(running.pid!, PRIORITY));
    running.once('exit', (code) => {
      if (this.#process === running) console.error(`Types are no longer checked: tsc has ended with code ${code}.`);
    });
    const outcome = new Outcome();
    createInterface({ input: running.stdout }).on('line', (line) => {
      const text = outcome.take(line);
      if (text !== undefined && this.#process === running) console.log(text);
    });
  }

  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.kill();
    await once(running, 'close');
  }
}

/** `tsc --watch` does not follow folders that are near the root of the file system, such as `/srv/app`: it is started again. */
export const isFollowed = (): boolean => resolve('.').split(sep).length > 3;

/** The file of `tsc`: two releases in one project both want to be `.bin/tsc`. The one under an alias is there to check types. */
function ownTsc(): string | undefined {
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const all: Readonly<Record<string, string>> = { ...dependencies, ...devDependencies };
    const alias = Object.keys(all).find((name) => all[name]!.startsWith('npm:typescript@'));
    const manifest = createRequire(resolve('package.json')).resolve(`${alias ?? 'typescript'}/package.json`);
    return join(dirname(manifest), 'bin/tsc');
  } catch {
    return undefined;
  }
}

/** What `tsc --watch` prints about one check, line by line. */
class Outcome {
  #lines: string[] = [];

  /** The outcome for people, once the line is the last one of a check. */
  take(line: string): string | undefined {
    const plain = stripVTControlCharacters(line);
    const [status, errors] = /^\[[\d:]+ [AP]M\] (?:Found (\d+) errors?\.)?/.exec(plain) ?? [];
    if (status === undefined) this.#lines.push(process.stdout.isTTY ? line : plain);
    else if (errors !== undefined) return describe(Number(errors), this.#lines);
    else this.#lines = [];
    return undefined;
  }
}

function describe(errors: number, lines: readonly string[]): string {
  if (errors === 0) return 'Types: no errors.';
  // TypeScript 7 counts the errors of each file as well.
  const summary = lines.findIndex((line) => /^Found \d+ errors? in /.test(stripVTControlCharacters(line)));
  const text = lines.slice(0, summary === -1 ? undefined : summary).join('\n');
  return `\n${text.trim()}\n\nTypes: ${errors} ${errors === 1 ? 'error' : 'errors'}.`;
}
