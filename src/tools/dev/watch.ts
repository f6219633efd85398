import { existsSync, watch } from 'node:fs';

/** Editors write a file in several steps. */
const SETTLED_MS = 40;

/** Calls back once after files of these folders have changed, with the folders that have. */
export function watchFolders(folders: readonly string[], changed: (folders: ReadonlySet<string>) => void): void {
  const touched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  for (const folder of folders.filter((path) => existsSync(path))) {
    const watcher = watch(folder, { recursive: true }, (_event, name) => {
      if (name !== null && isNoise(name)) return;
      touched.add(folder);
      clearTimeout(timer);
      timer = setTimeout(() => {
        const all = new Set(touched);
        touched.clear();
        changed(all);
      }, SETTLED_MS);
    });
    watcher.on('error', (error) => console.error(`${folder} is watched no more: ${error.message}`));
  }
}

/** What editors and systems leave beside files. */
const isNoise = (name: string): boolean => /(?:^|[/\\])\.|~$|\.(?:swp|swx|tmp|draft|db|db-wal|db-shm)$/.test(name);
