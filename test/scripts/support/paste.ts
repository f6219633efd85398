import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const shell = promisify(execFile);

export interface Pasted {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly body: any;
}

/** Runs a printed call in a shell. A machine without curl sends what it says. */
export const paste = (lines: string): Promise<Pasted> => (hasCurl() ? byShell(lines) : byFetch(lines));

function hasCurl(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v curl']);
    return true;
  } catch {
    return false;
  }
}

async function byShell(lines: string): Promise<Pasted> {
  const { stdout } = await shell('sh', ['-c', `${lines} -s -w '\\n%{http_code}'`]);
  const at = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(at)), body: JSON.parse(stdout.slice(0, at)) };
}

export async function byFetch(lines: string): Promise<Pasted> {
  const [, assignments, url, rest] = /^([\s\S]*?)^\s*curl '([^']*)'([\s\S]*)$/m.exec(lines)!;
  const variables = new Map([...assignments!.matchAll(/^(\w+)=(\S+)$/gm)].map(([, name, value]) => [name!, value!]));
  const headers = [...rest!.matchAll(/-H (?:'([^']*)'|"([^"]*)")/g)].map(([, literal, text]) =>
    (literal ?? text!.replaceAll(/\$(\w+)/g, (_, name) => variables.get(name) ?? '')).split(': ', 2),
  );
  const data = / -d '((?:[^']|'\\'')*)'/.exec(rest!)?.[1]?.replaceAll("'\\''", "'");
  const reply = await fetch(url!, {
    headers: headers as [string, string][],
    ...(data && { method: 'POST', body: data }),
  });
  return { status: reply.status, body: await reply.json() };
}
