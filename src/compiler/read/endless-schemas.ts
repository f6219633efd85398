import { pointerOfFragment, pointerTokens, valueAt } from '../../descriptor/json-pointer.ts';
import type { Finding } from '../findings/finding.ts';
import { isNode, type Node, nodesBelow } from './grammar.ts';
import type { SourceMap } from './source-map.ts';

/** Keywords whose schemas apply to the same value as the schema that contains them. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

/**
 * Finds references by which a schema applies to the same value again, so that validation would never end (JSON Schema
 * 2020-12 Core, 9.4.1). It is an error when the cycle consists of references and `allOf` alone; otherwise a warning,
 * because some documents describe inheritance like this.
 */
export function* endlessSchemas(root: Node, map: SourceMap): Generator<Finding> {
  for (const cycle of cyclesOf(root)) yield endless(cycle, map);
}

/** Keywords that say nothing about a value. */
const ANNOTATIONS = [
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'externalDocs',
  '$comment',
];
const UNIONS = ['anyOf', 'oneOf'];
/** Cycles in which unions get the branches of each other; in more, their number might grow. */
const MAX_JOINED = 100;

/**
 * Breaks the cycles that are only warned of, in place. Unions that are alternatives of each other get the branches of all of
 * them. In any other cycle, a value of a union is one of its other branches, and of anything else what its other keywords accept.
 */
export function breakCycles(root: Node): void {
  for (let count = 0; ; count++) {
    const cycle = [...cyclesOf(root)].find((one) => !isInevitable(one));
    if (!cycle) return;
    if (count < MAX_JOINED && cycle.every(isAlternative)) joinUnions(root, cycle);
    else leaveOutLast(cycle);
  }
}

/** Whether a schema is a reference or a union, and nothing else bounds its values. */
function isAlternative(schema: Node): boolean {
  const [keyword, ...others] = Object.keys(schema).filter((key) => !ANNOTATIONS.includes(key) && !key.startsWith('x-'));
  return others.length === 0 && ['$ref', ...UNIONS].includes(keyword!);
}

/** Gives each union of a cycle the branches of all; a branch that is one of them adds no value. */
function joinUnions(root: Node, cycle: readonly Node[]): void {
  const unions = cycle.flatMap((schema) =>
    UNIONS.flatMap((keyword) => (schema[keyword] as unknown[] | undefined) ?? []),
  );
  const branches = new Map<unknown, unknown>();
  for (const branch of unions) {
    const target = isNode(branch) ? targetOf(root, branch) : undefined;
    const isOne = cycle.some((schema) => schema === branch || schema === target);
    const key = target && isAlternative(branch as Node) ? target : branch;
    if (!isOne && !branches.has(key)) branches.set(key, branch);
  }
  for (const schema of cycle)
    for (const keyword of UNIONS.filter((one) => one in schema)) {
      if (branches.size > 0) schema[keyword] = [...branches.values()];
      else delete schema[keyword];
    }
}

/** Leaves out the last alternative that leads back, or else the last schema. */
function leaveOutLast(cycle: readonly Node[]): void {
  const links = cycle.flatMap((part, index) => {
    const holder = cycle[index - 1];
    return holder && childrenInPlace(holder).includes(part) ? [{ holder, part }] : [];
  });
  const link = links.findLast(({ holder, part }) => isBranch(holder, part)) ?? links.at(-1)!;
  leaveOut(link.holder, link.part);
}

const isBranch = (holder: Node, part: Node): boolean =>
  UNIONS.map((keyword) => holder[keyword]).some((branches) => Array.isArray(branches) && branches.includes(part));

function leaveOut(holder: Node, part: Node): void {
  for (const keyword of IN_PLACE) {
    const value = holder[keyword];
    const isMap = keyword === 'dependentSchemas' && isNode(value);
    if (Array.isArray(value) && value.includes(part)) value.splice(value.indexOf(part), 1);
    else if (isMap) for (const [name, schema] of Object.entries(value)) if (schema === part) delete value[name];
    if (value === part || (Array.isArray(value) && value.length === 0)) delete holder[keyword];
  }
}

/** The schemas of each cycle; the last one refers to the first, or has it as a branch that others have as well. */
function* cyclesOf(root: Node): Generator<readonly Node[]> {
  const left = new Set<Node>();
  for (const { node } of nodesBelow(root, 'document')) yield* search(node, []);

  function* search(node: Node, path: readonly Node[]): Generator<readonly Node[]> {
    if (left.has(node)) return;
    const target = targetOf(root, node);
    const visiting = [...path, node];
    if (target && visiting.includes(target)) yield visiting.slice(visiting.indexOf(target));
    else if (target) yield* search(target, visiting);
    for (const child of childrenInPlace(node))
      if (visiting.includes(child)) yield visiting.slice(visiting.indexOf(child));
      else yield* search(child, visiting);
    left.add(node);
  }
}

function endless(cycle: readonly Node[], map: SourceMap): Finding {
  const isEmpty = cycle.every((member) => typeof member['$ref'] === 'string');
  return {
    rule: 'reference-circular',
    severity: isInevitable(cycle) ? 'error' : 'warning',
    message: isEmpty
      ? 'This reference is circular and never reaches a schema.'
      : 'This reference applies a schema to a value that it already applies to, so that validation would never end.',
    hint: isEmpty
      ? 'Replace one of the references by the schema itself.'
      : 'Move the common part of both schemas to a third one that refers to neither.',
    location: map.locate(cycle.at(-1) ?? {}, '$ref'),
  };
}

const isInevitable = (cycle: readonly Node[]): boolean =>
  cycle.every((member, index) => leadsOn(member, cycle[index + 1]));

/** Whether a schema applies the next one of a cycle to whatever value it has, and not to some values alone. */
function leadsOn({ $ref, allOf }: Node, next: Node | undefined): boolean {
  return typeof $ref === 'string' || (Array.isArray(allOf) && allOf.includes(next));
}

function targetOf(root: Node, { $ref }: Node): Node | undefined {
  const pointer = typeof $ref === 'string' && $ref.startsWith('#') ? pointerOfFragment($ref.slice(1)) : undefined;
  const target = pointer === undefined ? undefined : valueAt(root, pointerTokens(pointer));
  return isNode(target) ? target : undefined;
}

function childrenInPlace(node: Node): Node[] {
  return IN_PLACE.flatMap((keyword) => {
    const value = node[keyword];
    if (Array.isArray(value)) return value.filter(isNode);
    if (!isNode(value)) return [];
    return keyword === 'dependentSchemas' ? Object.values(value).filter(isNode) : [value];
  });
}
