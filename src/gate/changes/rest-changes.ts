import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { redocly } from '../redocly.ts';
import type { Change, Impact } from './change.ts';
import type { Edition } from './edition.ts';

/** What `redocly diff --format json` prints, as far as it is read here. */
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

/** Differences of the OpenAPI documents as `redocly diff` rates them; what conventions mean is judged elsewhere. */
export async function restChanges(released: Edition, current: Edition): Promise<readonly Change[]> {
  const { changes } = await report(released.model.document, current.model.document);
  return changes
    .filter(isJudgedHere)
    .flatMap(({ path, typeName, kind, impact, property, verdicts, base, revision }) => {
      const location = current.at(revision?.pointer ?? base?.pointer ?? path);
      const common = { area: 'rest', location } as const;
      if (verdicts.length > 0)
        return verdicts.map(({ ruleId, message, impact: own }) => ({ ...common, impact: own, rule: ruleId, message }));
      const what = property === undefined ? typeName : `\`${property}\` of ${typeName}`;
      return [
        { ...common, impact, rule: `${kind === 'modified' ? 'changed' : kind}`, message: `${what} was ${kind}.` },
      ];
    });
}

/** Extensions have rules of their own; versions and servers are what a release decides. */
const isJudgedHere = ({ path, typeName, property = '' }: Report['changes'][number]): boolean =>
  typeName !== 'SpecExtension' &&
  !property.startsWith('x-') &&
  !path.startsWith('#/servers') &&
  !(path === '#/info' && property === 'version');

async function report(released: OpenApiDocument, current: OpenApiDocument): Promise<Report> {
  // An empty folder of its own: a configuration of the author's would be applied.
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
  try {
    await writeFile(join(folder, 'released.json'), JSON.stringify(released));
    await writeFile(join(folder, 'current.json'), JSON.stringify(current));
    return await redocly<Report>(['diff', 'released.json', 'current.json', '--fail-on', 'none'], folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
