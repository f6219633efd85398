import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { basePathOf } from '../../../descriptor/base-path.ts';
import { ConfigError } from '../../../descriptor/config-error.ts';
import { RELEASED } from '../../sdl/read-sdl.ts';
import type { Change } from './change.ts';
import type { Edition } from './edition.ts';

/** A contract as it was released. */
export interface Release {
  /** `info.version` (Semantic Versioning 2.0.0). */
  readonly version: string;
  /** Where it is served: `v1`. Releases of one API version are compatible. */
  readonly apiVersion: string;
  /** UTC, `2026-11-21`. */
  readonly date: string;
  /** Since the release before it; none for the first. */
  readonly changes: readonly Pick<Change, 'impact' | 'area' | 'rule' | 'message'>[];
}

/** All releases of a contract folder, the newest first. Throws `ConfigError` when the record cannot be read. */
export function readReleases(contracts: string): readonly Release[] {
  const path = join(contracts, RELEASED, 'releases.json');
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as readonly Release[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new ConfigError([`${path} cannot be read: ${(error as Error).message}`]);
  }
}

/** Folder of the last release of an API version. */
export const releaseFolder = (contracts: string, apiVersion: string): string => join(contracts, RELEASED, apiVersion);

/** Name of the API version that a contract serves: its base path, `root` where it has none. */
export const apiVersionOf = ({ model }: Edition): string =>
  basePathOf(model.document).slice(1).replaceAll('/', '-') || 'root';
