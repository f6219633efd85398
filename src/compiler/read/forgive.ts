import type { Finding, Location } from '../findings/finding.ts';
import { derivedOperationId, isMethod } from '../model/operations.ts';
import { isNode, type Node, nodesBelow } from './grammar.ts';
import type { MemberChanges } from './member-edits.ts';
import type { SourceFiles } from './source-files.ts';
import type { SourceMap } from './source-map.ts';
import { upgradeNullable } from './upgrade.ts';

/** Reports a reading. `changes` are those of its file that say the same in the words of OpenAPI 3.1. */
export type Report = (location: Location, fault: Fault, changes?: (pointer: string) => MemberChanges) => void;

interface Fault {
  readonly rule?: string;
  readonly message: string;
  readonly hint: string;
}

export const reporter =
  (files: SourceFiles, findings: Finding[]): Report =>
  (location, { rule = 'openapi-structure', ...fault }, changes) => {
    const fix = changes && files.editsOf(location.file).fix(changes(location.pointer));
    findings.push({ rule, severity: 'warning', isForgiven: true, ...fault, location, ...(fix && { fix }) });
  };

/** Reads what has one plain meaning as it is meant, in place. In a document that follows the conventions, each is an error. */
export function forgive(document: Node, map: SourceMap, report: Report): void {
  pathsWithQuery(document, map, report);
  for (const { node, kind } of nodesBelow(document, 'document')) {
    if (kind !== 'schema') continue;
    bound(node, 'exclusiveMinimum', 'minimum', map, report);
    bound(node, 'exclusiveMaximum', 'maximum', map, report);
    required(node, map, report);
    nullable(node, map, report);
  }
  operationIds(document, map, report);
}

/** In OpenAPI 3.0, an exclusive bound is a flag beside the bound. */
function bound(node: Node, exclusive: string, inclusive: string, map: SourceMap, report: Report): void {
  const { [exclusive]: flag, [inclusive]: value } = node;
  if (typeof flag !== 'boolean' || (flag && typeof value !== 'number')) return;
  const message = `\`${exclusive}: ${flag}\` is not OpenAPI 3.1; it is ${flag ? `read as \`${exclusive}: ${value}\`` : 'ignored'}.`;
  const hint = flag ? `Write \`${exclusive}: ${value}\`, without \`${inclusive}\`.` : 'Remove it.';
  report(map.locate(node, exclusive), { message, hint }, (pointer) =>
    flag ? { values: { [pointer]: value }, removed: [pointer.replace(/[^/]*$/, inclusive)] } : { removed: [pointer] },
  );
  delete node[exclusive];
  if (!flag) return;
  node[exclusive] = value;
  delete node[inclusive];
}

/** In OpenAPI 3.0, null is declared by a flag. */
function nullable(node: Node, map: SourceMap, report: Report): void {
  const { nullable: flag, type } = node;
  if (typeof flag !== 'boolean') return;
  const location = map.locate(node, 'nullable');
  upgradeNullable(node);
  map.inherit(node);
  const isRead = node['type'] !== type || (flag && node['anyOf'] !== undefined && type === undefined);
  const message = `\`nullable: ${flag}\` is not OpenAPI 3.1; it is ${isRead ? 'read as `null` among the types' : 'ignored'}.`;
  const hint = !flag
    ? 'Remove it.'
    : typeof type === 'string'
      ? `Write \`type: [${type}, 'null']\`.`
      : isRead || node['$ref'] !== undefined
        ? "Write `anyOf` with the schema and `{ type: 'null' }`."
        : "Remove it, or add `'null'` to `type`.";
  const { type: types, enum: values } = node;
  const written = (pointer: string): MemberChanges => {
    const at = (keyword: string): string => pointer.replace(/[^/]*$/, keyword);
    const kept = { [at('type')]: types, ...(values !== undefined && { [at('enum')]: values }) };
    return { ...(isRead && { values: kept }), removed: [pointer] };
  };
  report(location, { message, hint }, !flag || typeof type === 'string' ? written : undefined);
}

function required(node: Node, map: SourceMap, report: Report): void {
  const names = node['required'];
  if (typeof names === 'boolean') {
    const message = `\`required: ${names}\` on a schema has no effect; it is ignored.`;
    const hint = 'Remove it: `required` of an object lists its properties.';
    report(map.locate(node, 'required'), { message, hint }, (pointer) => ({ removed: [pointer] }));
    delete node['required'];
  }
  if (!Array.isArray(names) || new Set(names).size === names.length) return;
  const doubles = [...names.keys()].filter((index) => names.indexOf(names[index]) < index);
  for (const index of doubles)
    report(
      map.locate(names, index),
      { message: `\`${names[index]}\` occurs twice in \`required\`.`, hint: 'List it once.' },
      (pointer) => ({ removed: [pointer] }),
    );
  const kept = [...new Set(names)];
  map.setNode(kept, map.locate(node, 'required'));
  for (const [index, name] of kept.entries()) map.setKey(kept, index, map.locate(names, names.indexOf(name)));
  node['required'] = kept;
}

/** A query is not part of a path (RFC 3986, 3.4), so that no request is for such a path. */
function pathsWithQuery({ paths }: Node, map: SourceMap, report: Report): void {
  if (!isNode(paths)) return;
  for (const path of Object.keys(paths).filter((key) => /^[^#]*\?/.test(key))) {
    const message = `\`${path}\` has a query, which is not part of a path: its operations are not served, and left out of types and clients.`;
    const hint = `Move them to \`${path.replace(/\?.*$/s, '')}\`, and declare query parameters for the part after \`?\`.`;
    report(map.locate(paths, path), { message, hint });
    delete paths[path];
  }
}

/** Of several operations with one name, each but the first is named after its method and path. */
function operationIds(document: Node, map: SourceMap, report: Report): void {
  const paths = document['paths'];
  if (!isNode(paths)) return;
  const all = Object.entries(paths).flatMap(([path, item]) =>
    isNode(item)
      ? Object.entries(item).flatMap(([method, node]) =>
          isMethod(method) && isNode(node) && typeof node['operationId'] === 'string' ? [{ path, method, node }] : [],
        )
      : [],
  );
  const taken = new Set(all.map(({ node }) => node['operationId'] as string | undefined));
  const first = new Map<string, (typeof all)[0]>();
  const seen = new Set<Node>();
  for (const one of all) {
    const { path, method, node } = one;
    const id = node['operationId'] as string;
    const earlier = first.get(id) ?? one;
    first.set(id, earlier);
    // A path item may be that of several paths, for which no edit can give two names.
    const isShared = seen.size === seen.add(node).size;
    if (earlier === one) continue;
    const name = derivedOperationId(method, path, taken);
    const fault = {
      rule: 'operation-id-duplicate',
      message: `\`operationId: ${id}\` is already used by \`${earlier.method.toUpperCase()} ${earlier.path}\`.`,
      hint: `Give each operation a unique name, such as \`operationId: ${name}\`.`,
    };
    const change = (pointer: string): MemberChanges => ({ values: { [pointer]: name } });
    report(map.locate(node, 'operationId'), fault, isShared ? undefined : change);
    const [own, renamed] = [copyOf(paths[path] as Node, map), copyOf(node, map)];
    renamed['operationId'] = name;
    own[method] = renamed;
    paths[path] = own;
  }
}

function copyOf(node: Node, map: SourceMap): Node {
  const copy = { ...node };
  map.setNode(copy, map.locate(node));
  for (const key of Object.keys(node)) map.setKey(copy, key, map.locate(node, key));
  return copy;
}
