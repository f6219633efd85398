import {
  type ASTNode,
  type DefinitionNode,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  Kind,
  type Location,
  parse,
  Source,
  type Token,
  TokenKind,
  visit,
} from 'graphql';
import { argumentOf } from './coordinates.ts';
import { type MemberNode, membersOf, nameOf } from './sdl-file.ts';

/** A member of an SDL that refers to a type. */
interface Referring {
  readonly type: string;
  /** Its coordinate. */
  readonly by: string;
  readonly file: string;
  readonly line: number;
}

/** Files of an SDL without some coordinates. */
export interface SdlWithout {
  /** The texts that change, by path; undefined for a file in which nothing is left. */
  readonly texts: ReadonlyMap<string, string | undefined>;
  /** The coordinates that are gone, without those of shared types that are still needed. */
  readonly gone: ReadonlySet<string>;
  /** What refers to types that are gone. */
  readonly referring: readonly Referring[];
}

/**
 * Removes types, members and arguments from the files of an SDL, with the comments right above them; all else stays as it is written. A
 * type that has no members then goes, too. `lost`: coordinates; a type of them that others refer to stays, unless it is of `own`.
 */
export function sdlWithout(
  texts: ReadonlyMap<string, string>,
  lost: ReadonlySet<string>,
  own: (type: string) => boolean,
): SdlWithout {
  const files = [...texts].map(([path, text]) => [path, text, parse(new Source(text, path)).definitions] as const);
  const all = files.flatMap(([, , definitions]) => definitions);
  let gone = lost;
  for (;;) {
    const emptied = emptyTypes(all, gone);
    const referring = all.flatMap((one) => referencesIn(one, gone)).filter(({ type }) => gone.has(type));
    const kept = new Set(referring.flatMap(({ type }) => (own(type) ? [] : [type])));
    if (emptied.length === 0 && kept.size === 0) {
      const changed = files.flatMap(([path, text, definitions]) => {
        const cuts = definitions.flatMap((one) => cutsIn(text, one, gone));
        const isLeft = definitions.some((one) => !goes(one, gone));
        return cuts.length === 0 ? [] : [[path, isLeft ? without(text, cuts) : undefined] as const];
      });
      return { texts: new Map(changed), gone, referring };
    }
    gone = new Set([...gone, ...emptied].filter((one) => !kept.has(one.split('.')[0] ?? '')));
  }
}

/** The type of a definition or an extension; the empty string for the schema. */
const typeOf = (node: DefinitionNode): string =>
  isTypeDefinitionNode(node) || isTypeExtensionNode(node) ? node.name.value : '';

/** Whether a member goes: by its coordinate, or, of the schema or of a union, with its type. */
function isGone(holder: DefinitionNode, member: MemberNode, gone: ReadonlySet<string>): boolean {
  if (member.kind === Kind.OPERATION_TYPE_DEFINITION) return gone.has(member.type.name.value);
  const name = nameOf(member);
  return gone.has(`${typeOf(holder)}.${name}`) || (member.kind === Kind.NAMED_TYPE && gone.has(name));
}

/** Whether a definition goes: with its type, or because all of its members do. */
function goes(definition: DefinitionNode, gone: ReadonlySet<string>): boolean {
  const members = membersOf(definition);
  const isEmptied = members.length > 0 && members.every((one) => isGone(definition, one, gone));
  return isEmptied || gone.has(typeOf(definition));
}

/** The types whose definitions all go, and which are not gone yet. */
const emptyTypes = (all: readonly DefinitionNode[], gone: ReadonlySet<string>): readonly string[] =>
  [...Map.groupBy(all, typeOf)].flatMap(([name, holders]) =>
    name !== '' && !gone.has(name) && holders.every((one) => goes(one, gone)) ? [name] : [],
  );

type Part = readonly [by: string, node: ASTNode];

/** What refers to types in what is left of a definition. */
function referencesIn(definition: DefinitionNode, gone: ReadonlySet<string>): readonly Referring[] {
  if (goes(definition, gone)) return [];
  const type = typeOf(definition);
  const left = membersOf(definition).filter((one) => !isGone(definition, one, gone));
  const interfaces = 'interfaces' in definition ? (definition.interfaces ?? []) : [];
  const parts = [
    ...interfaces.map((one): Part => [type, one]),
    ...left.flatMap((member): readonly Part[] => {
      const by = `${type}.${nameOf(member)}`;
      if (member.kind !== Kind.FIELD_DEFINITION) return [[by, member]];
      const args = (member.arguments ?? []).map((one): Part => [argumentOf(type, nameOf(member), one.name.value), one]);
      return [[by, member.type], ...args.filter(([coordinate]) => !gone.has(coordinate))];
    }),
  ];
  const found: Referring[] = [];
  for (const [by, node] of parts)
    visit(node, {
      NamedType: (named) => {
        const { source, startToken } = placeOf(named);
        found.push({ type: named.name.value, by, file: source.name, line: startToken.line });
      },
    });
  return found;
}

function placeOf({ loc }: ASTNode): Location {
  if (!loc) throw new Error('The SDL was parsed without locations.');
  return loc;
}

type Cut = readonly [start: number, end: number];

function cutsIn(text: string, definition: DefinitionNode, gone: ReadonlySet<string>): readonly Cut[] {
  const place = placeOf(definition);
  if (goes(definition, gone)) return [linesOf(text, place) ?? [place.start, place.end]];
  const type = typeOf(definition);
  const members = membersOf(definition);
  const going = members.filter((one) => isGone(definition, one, gone));
  const cuts = going.map((one) => cutOf(text, one, members, going));
  const inArguments = members.flatMap((member): readonly Cut[] => {
    if (member.kind !== Kind.FIELD_DEFINITION || going.includes(member)) return [];
    const all = member.arguments ?? [];
    const lost = all.filter(({ name }) => gone.has(argumentOf(type, nameOf(member), name.value)));
    const last = all.at(-1);
    if (!last || lost.length < all.length) return lost.map((one) => cutOf(text, one, all, lost));
    return [[placeOf(member.name).end, nextOf(placeOf(last).endToken).end]];
  });
  return [...cuts, ...inArguments];
}

/** The lines of a member, or, where it shares them, the member with what separates it from the others. */
function cutOf(text: string, node: ASTNode, all: readonly ASTNode[], going: readonly ASTNode[]): Cut {
  const place = placeOf(node);
  const lines = linesOf(text, place);
  if (lines) return lines;
  const [before, after] = [previousOf(place.startToken), nextOf(place.endToken)];
  const isFirst = all.slice(0, all.indexOf(node)).every((one) => going.includes(one));
  if (!isFirst) return [(before.kind === TokenKind.PIPE ? previousOf(before) : before).end, place.end];
  return [place.start, (after.kind === TokenKind.PIPE ? nextOf(after) : after).start];
}

const previousOf = (token: Token): Token => token.prev ?? token;
const nextOf = (token: Token): Token => token.next ?? token;

/** The lines of a node that shares them with nothing, with the comments above, and without a blank line that would be doubled. */
function linesOf(text: string, { start, end }: Location): Cut | undefined {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const rest = /^[ \t,]*(?:#[^\n]*)?(?:\n|$)/.exec(text.slice(end));
  if (!rest || text.slice(lineStart, start).trim() !== '') return undefined;
  const before = text.slice(0, lineStart).replace(/(?:[ \t]*#[^\n]*\n)+$/, '');
  const to = end + rest[0].length;
  const blank = /^(?:[ \t]*\n)*/.exec(text.slice(to))?.[0].length ?? 0;
  return [before.length, /(?:^|\n[ \t]*\n)$/.test(before) ? to + blank : to];
}

/** Cuts may overlap. */
function without(text: string, cuts: readonly Cut[]): string {
  let left = '';
  let done = 0;
  for (const [start, end] of cuts.toSorted(([a], [b]) => a - b)) {
    left += text.slice(done, Math.max(start, done));
    done = Math.max(end, done);
  }
  return `${(left + text.slice(done)).trimEnd()}\n`;
}
