import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { basePathOf } from '../../../descriptor/base-path.ts';
import { ConfigError } from '../../../descriptor/config-error.ts';
import { RELEASED } from '../../sdl/read-sdl.ts';
import type { Change } from './change.ts';
import type { Edition } from './edition.ts';

/** A change as it is recorded; one that breaks clients within an API version has the reason why it was `waived`. */
interface ReleasedChange extends Pick<Change, 'impact' | 'area' | 'rule' | 'message'> {
  /** What has changed; records of older releases do not have it. */
  readonly subject?: string;
  readonly waived?: string;
}

/** The record of a release. */
export interface Release {
  /** `info.version` (Semantic Versioning 2.0.0). */
  readonly version: string;
  /** The API version: `v1`. Its releases are compatible with each other. */
  readonly apiVersion: string;
  /** The date in UTC: `2026-11-21`. */
  readonly date: string;
  /** Changes since the previous release; none for the first one. */
  readonly changes: readonly ReleasedChange[];
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

/** The folder of an API version's last release. */
export const releaseFolder = (contracts: string, apiVersion: string): string => join(contracts, RELEASED, apiVersion);

/** The API version of a contract: its base path, or `root` if it has none. */
export const apiVersionOf = ({ model }: Edition): string =>
  basePathOf(model.document).slice(1).replaceAll('/', '-') || 'root';
