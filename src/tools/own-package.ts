import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

const MANIFEST = findPackageJSON(import.meta.url)!;

/** The folder of the Lockstep that runs here: the root of a clone, or of the installed package. */
export const OWN_FOLDER = dirname(MANIFEST);

/** Its version. */
export const OWN_VERSION = (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { readonly version: string }).version;
