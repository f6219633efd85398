import { execFileSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endedByTests } from './clean-up.ts';

/** A file system of its own, small enough to be filled. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves no room. */
  fill(): void;
  /** Takes back what `fill` wrote. */
  clear(): void;
  makeReadOnly(): void;
  end(): void;
}

const BLOCK = Buffer.alloc(4_096);

function mounted(kib: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
}

function unmount(folder: string): void {
  execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
  rmdirSync(folder);
}

function isAllowed(): boolean {
  try {
    unmount(mounted(64));
    return true;
  } catch {
    return false;
  }
}

/** Whether this user may mount a file system, as root may. */
export const hasDisks = isAllowed();

export function smallDisk(kib: number): SmallDisk {
  const folder = mounted(kib);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a');
      try {
        for (;;) writeSync(file, BLOCK);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
    clear: () => rmSync(ballast),
    makeReadOnly: () => void execFileSync('mount', ['-o', 'remount,ro', folder], { stdio: 'ignore' }),
    end: endedByTests(() => unmount(folder)),
  };
}
