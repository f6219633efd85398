import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentNode, parse } from 'graphql';
import {
  type ContractSide,
  type Definition,
  deriveSdl,
  type Member,
  nameIn,
  type SdlFacts,
  sdlFacts,
} from '../../compiler/graphql/convention/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import { ContractFiles } from './contract-files.ts';
import { argumentOf, coordinatesOf } from './coordinates.ts';
import { contractSide, type OpenContract, openContract } from './open-contract.ts';

/** What each half of a contract has lost since both agreed, by coordinates of the SDL. */
export interface Removed {
  readonly byDocument: ReadonlySet<string>;
  readonly bySdl: ReadonlySet<string>;
  /** The operations that the SDL named then, with their fields. */
  readonly operationIds: ReadonlyMap<string, string>;
}

/**
 * What each half of a contract has lost since its output in the folder `out` was generated. Undefined where there is no such
 * output, and for a contract that has one half, which the other is derived from as a whole. Throws `ConfigError` for output that cannot be read.
 */
export async function removedSince(files: ContractFiles, out: string): Promise<Removed | undefined> {
  const contract = await openContract(files);
  if ('findings' in contract || contract.side.operations.length === 0 || !contract.source.sdl) return undefined;
  const base = await lastSdl(contract, out);
  if (!base) return undefined;
  const now = contract.source.sdl.document;
  const { operationIds } = sdlFacts(base);
  const then = coordinatesOf(base, isInBoth);
  const present = coordinatesOf(now);
  const implied = new Set(deriveSdl(contract.side).definitions.flatMap(coordinatesIn));
  const isLost = byDocument(contract, implied);
  return {
    byDocument: new Set([...coordinatesOf(now, isInBoth)].filter((one) => then.has(one) && isLost(one))),
    bySdl: new Set([
      ...[...implied].filter((one) => then.has(one) && !present.has(one)),
      ...lostFields(contract, operationIds),
    ]),
    operationIds,
  };
}

/** The OpenAPI side of the contract that was last generated into the folder `out`, if that is an output of this one. */
export async function lastSide(files: ContractFiles, out: string): Promise<ContractSide | undefined> {
  const { document } = await files.source();
  const last = await (await ContractFiles.open(join(out, 'openapi.json'))).source();
  if (last.document.info.title !== document.info.title) return undefined;
  const side = contractSide({ ...last, sdl: undefined });
  return 'findings' in side ? undefined : side;
}

/** The fields whose custom operations are still served, and which no field names now. */
function lostFields({ side }: OpenContract, then: SdlFacts['operationIds']): readonly string[] {
  const named = new Set(side.sdl.operationIds.keys());
  const served = side.operations.map(({ operationId }) => operationId);
  return served.flatMap((id) => (named.has(id) ? [] : (then.get(id) ?? [])));
}

/** What a derived definition has. */
export const coordinatesIn = ({ kind, name, members }: Definition): readonly string[] =>
  kind === 'schema'
    ? []
    : [
        name,
        ...members.flatMap((one) => [
          `${name}.${one.name}`,
          ...(one.args ?? []).map((arg) => argumentOf(name, one.name, arg.name)),
        ]),
      ];

/** The SDL of the output, if that is of this contract. */
async function lastSdl({ source }: OpenContract, out: string): Promise<DocumentNode | undefined> {
  const read = (file: string): Promise<string> => readFile(join(out, file), 'utf8').catch(() => '');
  const [document, sdl] = await Promise.all([read('openapi.json'), read('schema.graphql')]);
  if (document === '' || sdl === '') return undefined;
  try {
    const { info } = JSON.parse(document) as Partial<typeof source.document>;
    return info?.title === source.document.info.title ? parse(sdl) : undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([
      `The generated files in ${out} cannot be read (${reason}): restore it, run \`npm run generate\`, or derive in one direction (\`npm run sync -- --from\`).`,
    ]);
  }
}

/** What is said to be in the SDL alone has never been in the document. */
const isInBoth: Parameters<typeof coordinatesOf>[1] = ({ directives = [] }) =>
  !directives.some(({ name }) => name.value === 'parity');

/** Which parts of an SDL a document had, and this one has not. Events and the arguments of keys follow from conventions alone. */
function byDocument({ side }: OpenContract, implied: ReadonlySet<string>): (coordinate: string) => boolean {
  const { roots, operationIds } = side.sdl;
  const served = new Set(side.operations.map(({ operationId }) => operationId));
  const custom = new Map([...operationIds].map(([id, coordinate]) => [coordinate, served.has(id)] as const));
  return (coordinate) => {
    const [type = '', member] = coordinate.split('.');
    if (member === undefined || implied.has(coordinate) || type === roots.subscription) return false;
    if (custom.has(coordinate)) return custom.get(coordinate) === false;
    if (member.includes('('))
      return /\((?:filter|sort):\)$/.test(member) && implied.has(coordinate.replace(/\(.*/, ''));
    return implied.has(type) || type === roots.query || type === roots.mutation;
  };
}

/** Definitions without what the SDL has lost, unless something that is new refers to it. */
export function withoutRemoved(
  definitions: readonly Definition[],
  { bySdl }: Pick<Removed, 'bySdl'>,
  needed: ReadonlySet<string> = new Set(),
): readonly Definition[] {
  const isLost = (coordinate: string): boolean => bySdl.has(coordinate) && !needed.has(coordinate.split('.')[0] ?? '');
  const kept = definitions.flatMap((definition): readonly Definition[] => {
    const { kind, name } = definition;
    if (isLost(name)) return [];
    const members = definition.members.filter(
      (one) => !isLost(kind === 'schema' ? namedType(one) : `${name}.${one.name}`),
    );
    return [
      {
        ...definition,
        members: members.map(({ args, ...member }) => ({
          ...member,
          ...(args && { args: args.filter((one) => !isLost(argumentOf(name, member.name, one.name))) }),
        })),
      },
    ];
  });
  const referred = kept.flatMap(({ members }) => members.flatMap((one) => [one, ...(one.args ?? [])]).map(namedType));
  const more = referred.filter(isLost);
  return more.length === 0 ? kept : withoutRemoved(definitions, { bySdl }, new Set([...needed, ...more]));
}

const namedType = ({ type = '' }: Member): string => nameIn(type);
