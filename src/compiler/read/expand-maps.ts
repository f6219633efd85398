import { childPointer } from '../../descriptor/json-pointer.ts';
import type { Report } from './forgive.ts';
import { isNode, type Kind, mapsOf, type Node } from './grammar.ts';
import type { Resolver } from './resolver.ts';
import type { SourceMap } from './source-map.ts';

/** References that lead on to another are followed so many times. */
const MAX_STEPS = 8;

/**
 * A reference in place of the members of a map (`schemas: { $ref: … }`) is not OpenAPI, but has one meaning: each member of the target
 * is one here. In place, a reference to each is written.
 */
export function expandMaps(node: Node, kind: Kind, resolver: Resolver, map: SourceMap, report: Report): void {
  for (const { key, value, kind: member } of mapsOf(node, kind)) {
    if (typeof value['$ref'] !== 'string') continue;
    const location = map.locate(value, '$ref');
    const isProperties = kind === 'schema' && key === 'properties';
    const found = membersOf(value, member, isProperties, resolver, map);
    if (!found) continue;
    const added = Object.keys(found.members).filter((name) => !Object.hasOwn(value, name) && !name.startsWith('x-'));
    const entries = Object.fromEntries(added.map((name) => [name, { $ref: found.base + childPointer('', name) }]));
    const message = `\`$ref\` replaces the members of \`${key}\`; it is read as a reference to each.`;
    const [example] = Object.entries(entries);
    const hint = `Refer to each of them${example ? `: \`${example[0]}: { $ref: '${example[1].$ref}' }\`` : ''}.`;
    report(location, { message, hint }, (pointer) => (found.isNear ? { members: { [pointer]: entries } } : {}));
    delete value['$ref'];
    for (const [name, reference] of Object.entries(entries)) {
      map.setNode(reference, found.from);
      map.setKey(value, name, location);
      map.setKey(reference, '$ref', found.from);
      value[name] = reference;
    }
  }
}

/** The members that a reference leads to, at last, and the pointer to the map of them, as it is written at `from`. */
function membersOf(holder: Node, member: Kind, isProperties: boolean, resolver: Resolver, map: SourceMap) {
  let at = holder;
  for (let step = 0; step < MAX_STEPS; step++) {
    const target = resolver.resolve(at, '$ref', member);
    if (!target || !isNode(target.node)) return undefined;
    const { $ref, type, properties } = target.node;
    if (typeof $ref === 'string') {
      at = target.node;
      continue;
    }
    const ref = at['$ref'] as string;
    const base = ref.includes('#') ? ref : `${ref}#`;
    const place = { from: map.locate(at, '$ref'), isNear: at === holder };
    // Authors also write the schema that has the properties.
    if (isProperties && typeof type === 'string' && isNode(properties))
      return { ...place, members: properties, base: `${base}/properties` };
    return { ...place, members: target.node, base };
  }
  return undefined;
}
