import { type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import type { GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import { dependenciesOf, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { type Finding, isError, type Location } from '../../findings/finding.ts';
import { type ContractDraft, operationsOf, type ResourceDraft } from '../../model/draft.ts';
import type { Modelled } from '../../model/model.ts';
import { collectPaths } from '../../model/operations.ts';
import type { ParityRow } from '../../model/parity-row.ts';
import type { GraphqlView } from '../names/graphql-view.ts';

/** What is found as well without the paths and components that have errors of structure, so that it follows from none of these. */
export function besideStructure(
  draft: ContractDraft,
  findings: readonly Finding[],
  rest: Modelled,
): readonly Finding[] {
  if (mayLack(draft)) return draft.source.findings;
  const keyOf = ({ rule, message, location }: Finding): string => JSON.stringify([rule, message, location]);
  const known = new Set(rest.findings.map(keyOf));
  return findings.filter((one) => known.has(keyOf(one)));
}

/** Whether errors may be why a path does not belong to a resource; that of each ends in a parameter. */
function mayLack({ source: { rest }, paths, resources, conventional }: ContractDraft): boolean {
  const known = new Set(resources.flatMap((one) => operationsOf(one).map(({ path }) => path)));
  const others = paths.filter(({ path }) => path.endsWith('}') && !known.has(path));
  const kept = new Set(collectPaths(rest!.document).map(({ path }) => path));
  return conventional && others.some(({ path }) => !kept.has(path));
}

interface Judged {
  isFinding(finding: Finding): boolean;
  isRow(row: ParityRow): boolean;
}

/**
 * What is judged of the SDL and of parity beside errors, so that one cause gives one error: resources without an error, of
 * which none refers to one with an error or is referred to by one. Undefined if all may be affected, as where an error is
 * about no resource.
 */
export function judgedBeside(
  findings: readonly Finding[],
  view: GraphqlView,
  { fields }: GraphqlDescriptor,
): Judged | undefined {
  const { source } = view.draft;
  const errors = findings.filter((one) => isError(one) && !source.findings.includes(one));
  // What is left where parts are left out is only compared.
  if (!source.rest && (errors.length === 0 || source.findings.some(isError)))
    return { isFinding: () => true, isRow: () => true };
  const touched = errors.map(({ location }) => keysAt(view, location, fields));
  if (touched.some(({ length }) => length === 0)) return undefined;
  const faulty = new Set(touched.flat());
  const near = new Set([...faulty, ...view.resources.filter(({ key }) => faulty.has(key)).flatMap(relatedTo(view))]);
  const isNear = (resource: ResourceDescriptor): boolean =>
    near.has(resource.key) || relatedTo(view)(resource).some((key) => key === undefined || faulty.has(key));
  const left = view.resources.filter((resource) => !isNear(resource));
  if (left.length === 0) return undefined;
  const keys = new Set(left.map(({ key }) => key));
  return {
    isFinding: ({ location }) => isWithin(keys, keysAt(view, location, fields)),
    isRow: ({ resource }) => keys.has(resource),
  };
}

const isWithin = (keys: ReadonlySet<string>, found: readonly string[]): boolean =>
  found.length > 0 && found.every((key) => keys.has(key));

/** The keys of the resources that a place is about; in the SDL that of its type, and of what its field leads to. */
function keysAt(view: GraphqlView, location: Location, fields: GraphqlDescriptor['fields']): readonly string[] {
  const { draft, resources } = view;
  if (!draft.source.sdl?.files.includes(location.file))
    return draft.resources.filter((one) => isPartOf(view, one, location)).map(({ key }) => key);
  const [coordinate = '', type] = /^(\w+)(?:\.\w+)?/.exec(location.pointer) ?? [];
  const field = fields[coordinate];
  const owners = resources.filter(({ schemas }) => Object.values(schemas).includes(type!)).map(({ key }) => key);
  // An operation may be lost with its id.
  if (draft.source.rest && field?.kind === 'custom') return [];
  return field && 'resource' in field ? [...owners, field.resource] : owners;
}

function isPartOf({ draft: { document, source } }: GraphqlView, resource: ResourceDraft, at: Location): boolean {
  const { schema, input, patch, page } = resource;
  const root = source.locate(document);
  const items = operationsOf(resource).map(({ item }) => item);
  return [schema.node, input?.node, patch?.node, page?.node, ...items].some((node) => {
    const place = node && source.locate(node);
    if (place?.file !== at.file || (place.file === root.file && place.pointer === root.pointer)) return false;
    return `${at.pointer}/`.startsWith(`${place.pointer}/`);
  });
}

/** The resources that one refers to, in either protocol; undefined for a list of what an error may have made none. */
const relatedTo =
  ({ resources, draft }: GraphqlView) =>
  ({ name, parent, properties, ...others }: ResourceDescriptor): readonly (string | undefined)[] => [
    ...(parent ? [parent.resource] : []),
    ...properties.flatMap(({ references }) => (references ? [references.resource] : [])),
    ...(others.further ?? []).flatMap((one) => dependenciesOf(one).map(({ resource }) => resource)),
    ...typesOf(draft.source.sdl!.schema!, name).flatMap((type) => {
      const found = resources.find((one) => type === one.name || type === `${one.name}Connection`);
      return found || type.endsWith('Connection') ? [found?.key] : [];
    }),
  ];

/** The names of the types that the fields of a type lead to. */
function typesOf(schema: GraphQLSchema, name: string): readonly string[] {
  const type = schema.getType(name);
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  return fields.map((field) => getNamedType(field.type).name);
}
