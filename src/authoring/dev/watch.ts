import { existsSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isGenerated } from '../../compiler/sdl/index.ts';

/** Editors write a file in several steps: changes are reported after a pause of this length. */
const QUIET_MS = 40;

export interface WatchedPlaces {
  /** With everything below them; those that do not exist are not watched. */
  readonly folders: readonly string[];
  /** Single files, which need not exist yet. */
  readonly files?: readonly string[];
}

/**
 * Calls back after files in these places have changed, with their paths (that of the folder, where the system does not name
 * the file). Files that Lockstep itself generates are ignored. Returns a function that stops watching.
 */
export function watchPlaces(
  { folders, files = [] }: WatchedPlaces,
  changed: (paths: readonly string[]) => void,
): () => void {
  /** Names of changed files by the folder that is watched. */
  const pending = new Map<string, Set<string>>();
  let timer: NodeJS.Timeout | undefined;

  // Recognises generated files only after the pause: the file that marks a new folder as generated may be written
  // last.
  function report(): void {
    const paths = [...pending].flatMap(([folder, names]) =>
      [...names].filter((name) => !isGenerated(folder, name)).map((name) => join(folder, name)),
    );
    pending.clear();
    if (paths.length > 0) changed(paths);
  }

  function note(folder: string, name: string): void {
    pending.set(folder, (pending.get(folder) ?? new Set()).add(name));
    clearTimeout(timer);
    timer = setTimeout(report, QUIET_MS);
  }

  function watchFolder(folder: string, recursive: boolean, concerns: (name: string) => boolean) {
    const watcher = watch(folder, { recursive }, (_event, name) => {
      // Without a name, any file may have changed. The folder itself is not generated.
      if (name === null || concerns(name)) note(folder, name ?? '.');
    });
    watcher.on('error', (error) => console.error(`${folder} is no longer watched: ${error.message}`));
    return watcher;
  }

  const watchers = [
    ...folders.filter((path) => existsSync(path)).map((path) => watchFolder(path, true, (name) => !isTemporary(name))),
    // The folder of a file: many editors replace a file, and whoever watches the old one sees no change of the new.
    ...files
      .filter((path) => existsSync(dirname(path)))
      .map((path) => watchFolder(dirname(path), false, (name) => name === basename(path))),
  ];
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** Hidden, backup and temporary files. */
const isTemporary = (name: string): boolean => /(?:^|[/\\])\.|~$|\.(?:swp|swx|tmp|draft|db|db-wal|db-shm)$/.test(name);
