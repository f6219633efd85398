import type { Keep } from '../../descriptor/keep.ts';
import type { ContractModel } from '../model/model.ts';
import { type Differences, differencesOf } from '../model/versions/differences.ts';
import { openapiTypes } from './emit-types.ts';
import { fromBelow } from './folder/library.ts';
import { HEADER, key, printed, quote } from './print.ts';

/** `versions.json`: the old versions as they were released; and for each the types of its step to the current one. */
export async function emitVersions(
  model: ContractModel,
  library: string,
  keep: Keep,
): Promise<[path: string, text: string][]> {
  const entries = Object.entries(model.versions ?? {});
  if (entries.length === 0) return [];
  const files = entries.map(async ([name, version]): Promise<[string, string][]> => {
    const types = await openapiTypes(version.document, keep);
    const step = stepTypes(name, differencesOf(version, model), fromBelow(2, library));
    return [
      [`versions/${name}/openapi.ts`, types],
      [`versions/${name}/step.ts`, step],
    ];
  });
  return [['versions.json', `${printed(model.versions, 6)}\n`], ...(await Promise.all(files)).flat()];
}

/** The way from a version's folder to that of all output. */
const OUTPUT = '../../';

/** The members that a step must have: everything that is not the same in both versions. */
function stepTypes(name: string, { schemas, queries, removed, errors }: Differences, library: string): string {
  const members = schemas.map(({ schema, up, down }) => {
    const [old, present] = [`Old[${quote(schema)}]`, `Present[${quote(schema)}]`];
    const parts = [
      ...(up ? [`{ up(old: Sent<${old}>): Sent<${present}> }`] : []),
      ...(down ? [`DownStep<Answered<${present}>, Answered<${old}>, Resources>`] : []),
    ];
    return `    readonly ${key(schema)}: ${parts.join(' & ')};\n`;
  });
  const block = (property: string, lines: readonly string[]): string =>
    lines.length === 0 ? '' : `  readonly ${property}: {\n${lines.join('')}  };\n`;
  const isDown = schemas.some(({ down }) => down);
  const types = [
    ...(members.length > 0 ? ['Answered'] : []),
    ...(isDown ? ['DownStep'] : []),
    ...(queries.length > 0 ? ['QueryText'] : []),
    ...(members.length > 0 ? ['Sent'] : []),
  ];
  return `${HEADER}${types.length > 0 ? `import type { ${types.join(', ')} } from '${library}';\n` : ''}
import type { components as PresentComponents${removed.length > 0 ? ', operations as PresentOperations' : ''} } from '${OUTPUT}types/openapi.ts';
${isDown ? `import type { Resources } from '${OUTPUT}types/resources.ts';\n` : ''}import type { components as OldComponents } from './openapi.ts';

type Old = OldComponents['schemas'];
type Present = PresentComponents['schemas'];

/** How \`${name}\` differs from the current version: everything that is not the same in both. */
export interface Step {
${block('schemas', members)}${block(
  'queries',
  queries.map((id) => `    readonly ${key(id)}: (old: QueryText) => QueryText;\n`),
)}${block(
  'operations',
  removed.map((id) => `    readonly ${key(id)}: keyof PresentOperations;\n`),
)}${block(
  'errors',
  errors.codes.map((code) => `    readonly ${code}: ${errors.known.map(quote).join(' | ')};\n`),
)}  /** Names of JSON pointers and parameters in the old version, by their current names: \`{ '/name': '/title' }\`. */
  readonly places?: Readonly<Record<string, string>>;
}

`;
}
