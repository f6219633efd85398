import { existsSync, watch } from 'node:fs';
import { isGenerated } from '../../compiler/sdl/generated-folder.ts';

/** Editors write a file in several steps. */
const SETTLED_MS = 40;

/**
 * Calls back once after files of these folders have changed, with the folders that have. What Lockstep itself generates
 * below one of them is no change. Returns how to end it.
 */
export function watchFolders(folders: readonly string[], changed: (folders: ReadonlySet<string>) => void): () => void {
  const touched = new Map<string, Set<string>>();
  let timer: NodeJS.Timeout | undefined;

  // Only now is there the file that marks a new folder as generated.
  function settled(): void {
    const isChanged = (folder: string, names: ReadonlySet<string>) =>
      [...names].some((name) => !isGenerated(folder, name));
    const all = [...touched].filter(([folder, names]) => isChanged(folder, names)).map(([folder]) => folder);
    touched.clear();
    if (all.length > 0) changed(new Set(all));
  }

  const existing = folders.filter((path) => existsSync(path));
  const watchers = existing.map((folder) => {
    const watcher = watch(folder, { recursive: true }, (_event, name) => {
      // Without a name, any file may have changed; the folder itself is no output.
      if (name !== null && isNoise(name)) return;
      touched.set(folder, (touched.get(folder) ?? new Set()).add(name ?? '.'));
      clearTimeout(timer);
      timer = setTimeout(settled, SETTLED_MS);
    });
    watcher.on('error', (error) => console.error(`${folder} is watched no more: ${error.message}`));
    return watcher;
  });
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** What editors and systems leave beside files. */
const isNoise = (name: string): boolean => /(?:^|[/\\])\.|~$|\.(?:swp|swx|tmp|draft|db|db-wal|db-shm)$/.test(name);
