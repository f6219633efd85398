import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Usage } from './usage.ts';

/** Linux counts CPU time in ticks of a hundredth of a second (proc(5), `/proc/pid/stat`). */
const TICK_MICROS = 10_000;
const LISTENING = '0A';

/** What the process that listens on a port has used so far; not a number where that cannot be known. */
export function usageOfPort(port: number): Usage {
  try {
    const process = `/proc/${processOn(port)}`;
    // The name of the program may have spaces and brackets.
    const fields = readFileSync(`${process}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`${process}/status`, 'utf8'))?.[1];
    return { cpuMicros: (Number(fields[11]) + Number(fields[12])) * TICK_MICROS, rssBytes: Number(kilobytes) * 1_024 };
  } catch {
    return { cpuMicros: Number.NaN, rssBytes: Number.NaN };
  }
}

/** The id of the process that has a listening socket on a port. */
function processOn(port: number): string {
  const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const columns = sockets.map((line) => line.trim().split(/\s+/));
  const inode = columns.find((one) => one[3] === LISTENING && one[1]?.endsWith(`:${hex}`))?.[9];
  const found = readdirSync('/proc').find((id) => /^\d+$/.test(id) && socketsOf(id).includes(`socket:[${inode}]`));
  if (inode === undefined || found === undefined) throw new Error(`nothing listens on ${port}`);
  return found;
}

/** None of a process that belongs to somebody else, or has ended. */
function socketsOf(id: string): readonly string[] {
  const fds = attempt(() => readdirSync(`/proc/${id}/fd`)) ?? [];
  return fds.flatMap((fd) => attempt(() => readlinkSync(`/proc/${id}/fd/${fd}`)) ?? []);
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
