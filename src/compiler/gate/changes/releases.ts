import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { basePathOf } from '../../../descriptor/base-path.ts';
import { ConfigError } from '../../../descriptor/config-error.ts';
import { RELEASED } from '../../sdl/read-sdl.ts';
import type { Change, Facts } from './change.ts';
import type { Edition } from './edition.ts';

/** A change as it is recorded; one that breaks clients within an API version has the reason why it was `waived`. */
interface ReleasedChange extends Pick<Change, 'impact' | 'area' | 'rule' | 'message'> {
  /** What has changed, and how; records of older releases do not have them. */
  readonly subject?: string;
  readonly facts?: Facts;
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

const text = { type: 'string' };
const objects = (properties: Readonly<Record<string, object>>, required = Object.keys(properties)) => ({
  type: 'array',
  items: { type: 'object', properties, required },
});
const changes = objects(
  {
    impact: { enum: ['major', 'minor', 'patch'] },
    area: { enum: ['rest', 'graphql', 'storage', 'versions', 'clients'] },
    rule: text,
    message: text,
    subject: text,
    facts: { type: 'object', properties: { keyword: text } },
    waived: text,
  },
  ['impact', 'area', 'rule', 'message'],
);
const RECORD = objects({
  version: { ...text, pattern: /^\d+\.\d+\.\d+$/.source },
  apiVersion: text,
  date: text,
  changes,
});

/** All releases of a contract folder, the newest first. Throws `ConfigError` when the record cannot be read. */
export function readReleases(contracts: string): readonly Release[] {
  const path = join(contracts, RELEASED, 'releases.json');
  try {
    return validReleases(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new ConfigError([`${path} cannot be read: ${(error as Error).message}`]);
  }
}

function validReleases(value: unknown): readonly Release[] {
  const ajv = new Ajv2020({ strict: false });
  if (!ajv.validate<readonly Release[]>(RECORD, value))
    throw new Error(`${ajv.errorsText(undefined, { dataVar: 'it' })}.`);
  return value;
}

/** The folder of an API version's last release. */
export const releaseFolder = (contracts: string, apiVersion: string): string => join(contracts, RELEASED, apiVersion);

/** The API version of a contract: its base path, or `root` if it has none. */
export const apiVersionOf = ({ model }: Edition): string =>
  basePathOf(model.document).slice(1).replaceAll('/', '-') || 'root';
