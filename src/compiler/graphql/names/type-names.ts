import { conventionNames, type NameCase } from '../../../descriptor/convention-names.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { enumValues } from '../../json-schema/property-type.ts';
import { camelCase, flatNamed, inWords, namedSchemas, upperFirst } from '../../model/index.ts';
import { SCALAR_SCHEMAS } from '../../sdl/scalar-schemas.ts';
import { codeName, isGenerated } from './code-name.ts';
import { freeName, typeName } from './graphql-name.ts';

/** The types that GraphQL and the conventions have. */
export const RESERVED = new Set(['Query', 'Mutation', 'Subscription', 'PageInfo', ...Object.keys(SCALAR_SCHEMAS)]);

/**
 * The names that GraphQL has for the schemas of a document, all of which differ in generated types, too. Of schemas that would have one
 * name, the one that has it in the document keeps it; the others, and those with the name of another type, get one that follows from
 * their own: `Foo_minus_Bar` for `Foo-Bar` beside `FooBar`, `QueryType` for `Query`. Their order has no influence.
 */
export function typeNames(document: OpenApiDocument, nameCase: NameCase): ReadonlyMap<string, string> {
  const names = Object.keys(namedSchemas(document));
  const spelled = new Map(names.map((name) => [name, typeName(name, nameCase)]));
  const spellingOf = (name: string): string => spelled.get(name) ?? name;
  const codeOf = (name: string): string => codeName(spellingOf(name));
  const alike = Map.groupBy(names, codeOf);
  const owners = new Set([...RESERVED, ...alike.keys(), ...fieldNames(document)]);
  const { nextCursor } = conventionNames(nameCase);
  // The type of pages stands beside the schema that pages of the conventions have.
  const isOfPages = (name: string): boolean =>
    name === 'PageInfo' && flatNamed(document, name).properties.has(nextCursor);
  const isTaken = (name: string): boolean =>
    (RESERVED.has(spellingOf(name)) && !isOfPages(name)) ||
    spellingOf(name) in {} ||
    isGenerated(codeOf(name), owners, enumValues(flatNamed(document, name)) !== undefined);
  // Only types have names in generated code.
  const isApart = (name: string, other: string): boolean =>
    other === name || (spellingOf(other) !== spellingOf(name) && !isType(document, other));
  const keepsName = (name: string): boolean =>
    (name === codeOf(name) || (alike.get(codeOf(name)) ?? []).every((other) => isApart(name, other))) &&
    !(isType(document, name) && isTaken(name));
  const used = new Set([...RESERVED, ...alike.keys()]);
  for (const name of names.filter((one) => !keepsName(one)).toSorted()) {
    const own = /[^A-Za-z0-9]/.test(name) ? typeName(inWords(name)) : `${spellingOf(name)}Type`;
    const free = freeName(own, (one) => used.has(codeName(one)));
    used.add(codeName(free));
    spelled.set(name, free);
  }
  return spelled;
}

/** What fields may be called that operations have, and lists of resources, with a capital. */
const fieldNames = ({ paths = {} }: OpenApiDocument): readonly string[] =>
  Object.entries(paths).flatMap(([path, item]) => {
    const ids = Object.values(item ?? {}).flatMap((one) => Object(one).operationId ?? []);
    return [...ids, ...path.split('/')].map((name) => upperFirst(camelCase(String(name))));
  });

/** Whether GraphQL has a type for a schema: an enum, or an object. */
export function isType(document: OpenApiDocument, name: string): boolean {
  const flat = flatNamed(document, name);
  return flat.properties.size > 0 || flat.keywords.has('oneOf') || enumValues(flat) !== undefined;
}
