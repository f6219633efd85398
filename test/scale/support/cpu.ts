import { readdirSync, readFileSync } from 'node:fs';

/** Nanoseconds of CPU that the threads of some processes have used (Linux, `/proc/pid/schedstat`); 0 where that cannot be known. */
export const cpuOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + threadsOf(pid).reduce((all, thread) => all + nanoseconds(pid, thread), 0), 0);

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function nanoseconds(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}

/** A process and those that it has started. */
export function familyOf(pid: number): readonly number[] {
  const parents = readdirSync('/proc').flatMap((name) => {
    try {
      return [[Number(name), Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1])] as const];
    } catch {
      return [];
    }
  });
  return [pid, ...parents.filter(([, parent]) => parent === pid).map(([child]) => child)];
}
