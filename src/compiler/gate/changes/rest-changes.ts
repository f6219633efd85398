import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { redocly } from '../../redocly/redocly.ts';
import type { Change, Impact } from './change.ts';
import type { Edition } from './edition.ts';

/** The part of the output of `redocly diff --format json` that is read here. */
interface Report {
  readonly changes: readonly {
    readonly path: string;
    readonly typeName: string;
    readonly kind: 'added' | 'removed' | 'modified';
    readonly impact: Impact;
    readonly property?: string;
    readonly verdicts: readonly { readonly ruleId: string; readonly impact: Impact; readonly message: string }[];
    readonly base?: { readonly pointer: string };
    readonly revision?: { readonly pointer: string };
  }[];
}

type Difference = Report['changes'][number];

/**
 * Differences between the OpenAPI documents as rated by `redocly diff`; extensions are rated by `conventionChanges`.
 */
export async function restChanges(released: Edition, current: Edition): Promise<readonly Change[]> {
  const [before, after] = [released.model.document, current.model.document];
  if (isDeepStrictEqual(before, after)) return [];
  const { changes } = await report(before, after);
  return changes.filter(isRatedHere).flatMap((difference) => {
    const { path, typeName, kind, property, verdicts, base, revision } = difference;
    const location = current.at(revision?.pointer ?? base?.pointer ?? path);
    const common = { area: 'rest', location } as const;
    if (verdicts.length > 0)
      return verdicts.map(({ ruleId, message, impact }) => ({ ...common, impact, rule: ruleId, message }));
    const extension = extensionOf(difference);
    const what = extension ?? (property === undefined ? typeName : `\`${property}\` of ${typeName}`);
    const impact = extension === undefined ? difference.impact : 'patch';
    return [{ ...common, impact, rule: kind === 'modified' ? 'changed' : kind, message: `${what} was ${kind}.` }];
  });
}

/** Extensions that `conventionChanges` rates. */
const RATED_ELSEWHERE = new Set(
  ['transitions', 'unique', 'owner', 'immutable', 'references', 'on-delete'].map((name) => `x-${name}`),
);

/** Version and servers always change with a release, and are not rated. */
function isRatedHere(difference: Difference): boolean {
  const { path, property } = difference;
  if (path.startsWith('#/servers') || (path === '#/info' && property === 'version')) return false;
  return !RATED_ELSEWHERE.has(extensionOf(difference) ?? '');
}

/** The extension that a difference concerns. */
function extensionOf({ path, typeName, property }: Difference): string | undefined {
  if (property?.startsWith('x-')) return property;
  return typeName === 'SpecExtension' ? path.split('/').find((key) => key.startsWith('x-')) : undefined;
}

async function report(released: OpenApiDocument, current: OpenApiDocument): Promise<Report> {
  // Runs in an empty folder, because Redocly would apply a configuration of the author's.
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
  try {
    await writeFile(join(folder, 'released.json'), JSON.stringify(released));
    await writeFile(join(folder, 'current.json'), JSON.stringify(current));
    return await redocly<Report>(['diff', 'released.json', 'current.json', '--fail-on', 'none'], folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
