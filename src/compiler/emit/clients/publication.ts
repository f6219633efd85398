import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { entryOf } from '../../read/read-contract.ts';

/** Who is behind a contract, and on what terms: its clients say the same (OpenAPI 3.1, 4.8.3 and 4.8.4). */
export interface Publication {
  readonly license: { readonly name?: string; readonly identifier?: string; readonly url?: string };
  readonly contact: { readonly name?: string; readonly email?: string; readonly url?: string };
  /** Text of the project's own LICENSE, if it has one. */
  readonly licenseText: string | undefined;
}

export const publicationOf = ({ info }: OpenApiDocument, licenseText: string | undefined): Publication => ({
  license: { ...(info['license'] as Publication['license'] | undefined) },
  contact: { ...(info['contact'] as Publication['contact'] | undefined) },
  licenseText,
});

const LICENSE_FILES = ['LICENSE', 'LICENSE.md', 'LICENSE.txt'];

/** Text of the LICENSE beside the folder of a contract, or in it. */
export async function projectLicense(contract: string): Promise<string | undefined> {
  const folder = resolve((await entryOf(contract)).folder);
  for (const path of [dirname(folder), folder].flatMap((root) => LICENSE_FILES.map((name) => join(root, name)))) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}

const SPDX = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MPL-2.0', 'Unlicense'];

/** The identifier of a licence in the list of SPDX; undefined when the contract does not say it. */
export function spdxOf({ license: { identifier, name = '' } }: Publication): string | undefined {
  return identifier ?? SPDX.find((id) => id.toLowerCase() === name.trim().replace(/ /g, '-').toLowerCase());
}
