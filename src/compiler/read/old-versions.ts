import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { basePathOf } from '../../descriptor/base-path.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import type { OldVersion } from '../../descriptor/version.ts';
import { collectOperations } from '../model/operations.ts';
import { describeVersion, type VersionDates } from '../model/versions/describe-version.ts';
import { RELEASED } from '../sdl/read-sdl.ts';
import { removePatchDefaults } from './complete/patch-defaults.ts';

/** The entries of `info.x-versions`, by name of the version. */
export function declaredVersions(document: OpenApiDocument): Readonly<Record<string, VersionDates>> {
  const given = document.info?.['x-versions'];
  return typeof given === 'object' && given !== null ? (given as Readonly<Record<string, VersionDates>>) : {};
}

/** The released documents of the versions that a contract names, as far as they exist. */
export function readVersions(folder: string, document: OpenApiDocument): ReadonlyMap<string, OpenApiDocument> {
  const found = Object.keys(declaredVersions(document)).flatMap((name): [string, OpenApiDocument][] => {
    // A released contract is stored next to the versions that it names.
    const places = [join(folder, RELEASED, name), join(folder, '..', name)].map((place) => join(place, 'openapi.json'));
    const place = places.find((path) => existsSync(path));
    return place === undefined ? [] : [[name, read(place)]];
  });
  return new Map(found);
}

/** Throws `ConfigError` when the document cannot be read. */
function read(path: string): OpenApiDocument {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as OpenApiDocument;
  } catch (error) {
    throw new ConfigError([`${path} cannot be read: ${(error as Error).message}`]);
  }
}

/** The versions that a contract names, as far as they are among those released. */
export function oldVersions(
  document: OpenApiDocument,
  released: ReadonlyMap<string, OpenApiDocument>,
): Readonly<Record<string, OldVersion>> {
  const found = Object.entries(declaredVersions(document)).filter(([name]) => released.has(name));
  return Object.fromEntries(
    found.map(([name, dates]) => {
      const old = structuredClone(lookUp(released, name));
      const version = { document: old, operations: collectOperations(old) };
      removePatchDefaults(version);
      return [name, describeVersion(version, dates, basePathOf(document))];
    }),
  );
}
