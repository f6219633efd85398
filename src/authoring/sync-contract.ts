import { join } from 'node:path';
import { type Finding, formatFindings, some } from '../compiler/findings/index.ts';
import { printOnOneLine, reverseConnections } from '../compiler/graphql/convention/index.ts';
import { addConnections } from './contract/add-connections.ts';
import { leaveToRest, restOperations } from './contract/rest-only.ts';
import { applyResourceList, recordResourceList } from './scaffold/resource-list.ts';
import { ContractFiles } from './sync/contract-files.ts';
import { contractSide, errorsOf, isUnread, newErrors } from './sync/open-contract.ts';
import { type Removed, removedSince } from './sync/removed.ts';
import { syncParameters } from './sync/sync-conditions.ts';
import { syncOpenapi } from './sync/sync-openapi.ts';
import { syncSdl } from './sync/sync-sdl.ts';
import { diffOf } from './sync/text-diff.ts';

export interface SyncOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** The side that the other is derived from; undefined: each from the other. */
  readonly from?: 'openapi' | 'graphql' | undefined;
  /** Connections in the opposite direction of a reference that are wanted: `Author.books`. */
  readonly connections?: readonly string[] | undefined;
  /** Folder of what was last generated, when both sides agreed: what one has lost since then is not put back. */
  readonly out?: string | undefined;
  /** Prints what would change, and writes nothing. */
  readonly dryRun?: boolean | undefined;
}

/** What a contract became, or the errors for which nothing can be derived. */
export type Synced =
  | { readonly kind: 'refused'; readonly findings: readonly Finding[] }
  | {
      readonly kind: 'synced';
      /** Entries that left `resources.yaml`, for the contract no longer has them. */
      readonly gone: readonly string[];
      /** What one half has lost, which only the author can remove from the other. */
      readonly lost: readonly string[];
      /** Operations that were declared to be of REST alone, with the reasons. */
      readonly restOnly: readonly string[];
      /** What else only the author can say. */
      readonly open: readonly string[];
      /** In what the two sides differ still. */
      readonly findings: readonly Finding[];
    };

/**
 * Derives what one side of a contract lacks from the other. Resolves with the exit code: 1 when nothing can be derived, or the
 * sides differ in what only the author can decide.
 */
export async function syncContract(options: SyncOptions): Promise<number> {
  const files = await ContractFiles.open(options.contracts);
  const outcome = await synchronise(files, options);
  if (outcome.kind === 'refused') {
    console.error(`${formatFindings(outcome.findings, { colour: process.stderr.isTTY })}\n\nNothing was written.`);
    return 1;
  }
  if (options.dryRun !== true) await files.save();
  else if (files.changes.length > 0) console.log(`${diffOf(files.folder, files.changes)}\n`);
  console.log(summary(files, options.dryRun === true, outcome.lost.length > 0));
  if (outcome.gone.length > 0)
    console.log(`\nThe contract no longer has ${some(outcome.gone)}: removed from resources.yaml.`);
  if (outcome.restOnly.length > 0)
    console.log(`\nLeft to REST, by \`x-parity\`:\n${outcome.restOnly.map((line) => `  ${line}`).join('\n')}`);
  const open = [...outcome.lost, ...outcome.open];
  if (open.length > 0) console.log(`\nTo be decided by you:\n${open.map((line) => `  ${line}`).join('\n')}`);
  if (outcome.findings.length > 0)
    console.error(`\n${formatFindings(outcome.findings, { colour: process.stderr.isTTY })}`);
  return outcome.findings.length > 0 ? 1 : 0;
}

/** Derives in memory: what the list names, the OpenAPI side, then the SDL. */
export async function synchronise(files: ContractFiles, { from, connections = [], out }: SyncOptions): Promise<Synced> {
  const hadSdl = (await files.source()).sdl !== undefined;
  const before = errorsOf(await files.source());
  // The parameters that `x-search` asks for.
  await files.fix(before.flatMap(({ rule, fix }) => (rule === 'search-parameter' && fix ? [fix] : [])));
  const removed = from === undefined && out !== undefined ? await removedSince(files, out) : undefined;
  const { findings: refused, gone } = await applyResourceList(files, out, removed);
  if (refused.length > 0) return { kind: 'refused', findings: refused };
  const openapi = from === 'openapi' ? { gaps: [] } : await syncOpenapi(files, removed?.byDocument);
  if (from !== 'graphql') await syncParameters(files);
  const written = await files.source();
  const rest = from === 'graphql' ? [] : restOperations(written);
  const leftOut = new Set(rest.map(({ operationId }) => operationId));
  const sdl = from === 'graphql' ? { gaps: [] } : await syncSdl(files, removed, leftOut);
  // The document that an SDL became says all that the SDL does.
  if ('findings' in sdl && !sdl.findings.every(isLeft)) return { kind: 'refused', findings: sdl.findings };
  await addConnections(files, connections);
  // Without an SDL, all operations are of REST alone.
  const hasSdl = (await files.source()).sdl !== undefined;
  if (hasSdl) await leaveToRest(files, written, rest);
  const source = await files.source();
  const findings = errorsOf(source);
  // A document that has an SDL is held to more than it was alone.
  const isStricter = ({ location }: Finding): boolean => !hadSdl && !/\.graphql$/.test(location.file);
  const own = newErrors(findings, before).filter((one) => !isLeft(one) && !isStricter(one));
  if (own.length > 0) return { kind: 'refused', findings: own };
  await recordResourceList(files);
  const leftWords = rest.map(({ operationId, because }) => `\`${operationId}\`: ${because}`);
  const side = contractSide(source);
  const open =
    'findings' in side ? [] : reverseConnections(side).map(({ type, member }) => asked(type, printOnOneLine(member)));
  return {
    kind: 'synced',
    gone,
    lost: removed ? removedWords(removed) : [],
    restOnly: hasSdl ? leftWords : [],
    open: [
      ...(hasSdl ? [] : leftWords),
      ...openapi.gaps,
      ...('gaps' in sdl ? sdl.gaps : []),
      ...(source.sdl ? open : []),
    ],
    findings,
  };
}

const asked = (type: string, line: string): string => {
  const name = /^\w+/.exec(line)![0];
  return `whether \`${type}\` lists the rows that refer to it (--connection ${type}.${name}): ${line}`;
};

/**
 * Whether the author decides it when all else is derived: in what the sides differ, what the SDL has that follows from nothing (what joins the
 * rows of a list, what is searched), and where a value comes from that callers do not send, such as an owner's, a tenant's or a
 * first state.
 */
const isLeft = (finding: Finding): boolean =>
  !isUnread(finding) && (/^(?:parity|sdl)-/.test(finding.rule) || finding.rule === 'required-initial');

function summary({ changes, folder }: ContractFiles, isDryRun: boolean, hasLost: boolean): string {
  if (changes.length === 0) return `Nothing to derive${hasLost ? '' : ': both halves agree'}.`;
  const lines = changes.map(({ path, before }) => `  ${join(folder, path)}${before === undefined ? ' (new)' : ''}`);
  return `${isDryRun ? 'Would write' : 'Wrote'}:\n${lines.join('\n')}`;
}

/** What only the author can say of what one half has lost: whether the other loses it, too. */
function removedWords({ byDocument: document, bySdl: sdl }: Removed): readonly string[] {
  const words = (lost: ReadonlySet<string>, from: string, other: string, back: string): readonly string[] => {
    const names = [...lost].filter((one) => !lost.has(one.replace(/[.(][^.(]*$/, '')) || !/[.(]/.test(one));
    const one = names.length === 1;
    return names.length === 0
      ? []
      : [
          `whether ${other} loses ${some(names)}, which ${from} has lost since the last \`generate\`: remove ${one ? 'it' : 'them'} there as well, declare the absence, or put ${one ? 'it' : 'them'} back (--from ${back}).`,
        ];
  };
  return [
    ...words(document, 'the OpenAPI document', 'the SDL', 'graphql'),
    ...words(sdl, 'the SDL', 'the OpenAPI document', 'openapi'),
  ];
}
