import { existsSync, watch } from 'node:fs';
import { isGenerated } from '../../compiler/sdl/generated-folder.ts';

/** Editors write a file in several steps: changes are reported after a pause of this length. */
const QUIET_MS = 40;

/**
 * Calls back after files in these folders have changed, with the folders concerned. Files that Lockstep itself
 * generates below them are ignored. Returns a function that stops watching.
 */
export function watchFolders(folders: readonly string[], changed: (folders: ReadonlySet<string>) => void): () => void {
  const changedFiles = new Map<string, Set<string>>();
  let timer: NodeJS.Timeout | undefined;

  // Tells generated files apart only after the pause: the file that marks a new folder as generated may be written
  // last.
  function report(): void {
    const isChanged = (folder: string, names: ReadonlySet<string>) =>
      [...names].some((name) => !isGenerated(folder, name));
    const all = [...changedFiles].filter(([folder, names]) => isChanged(folder, names)).map(([folder]) => folder);
    changedFiles.clear();
    if (all.length > 0) changed(new Set(all));
  }

  const existing = folders.filter((path) => existsSync(path));
  const watchers = existing.map((folder) => {
    const watcher = watch(folder, { recursive: true }, (_event, name) => {
      // Without a name, any file may have changed. The folder itself is not generated.
      if (name !== null && isTemporary(name)) return;
      changedFiles.set(folder, (changedFiles.get(folder) ?? new Set()).add(name ?? '.'));
      clearTimeout(timer);
      timer = setTimeout(report, QUIET_MS);
    });
    watcher.on('error', (error) => console.error(`${folder} is no longer watched: ${error.message}`));
    return watcher;
  });
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** Hidden, backup and temporary files. */
const isTemporary = (name: string): boolean => /(?:^|[/\\])\.|~$|\.(?:swp|swx|tmp|draft|db|db-wal|db-shm)$/.test(name);
