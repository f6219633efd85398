import type { FieldDescriptor, ParamArguments } from '../../../descriptor/graphql.ts';
import { isFiltered, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { keyedParameters } from '../fields/names.ts';
import type { SdlField } from './sdl-rule.ts';

/** The definition of an argument by the conventions. */
export interface ConventionalArgument {
  readonly type: string;
  readonly required: boolean;
}

/** The arguments of a field by the conventions, by name; undefined for custom fields, where the author decides. */
export function argumentsOf(
  { descriptor, field }: SdlField,
  resource: ResourceDescriptor | undefined,
  resources: readonly ResourceDescriptor[],
): Readonly<Record<string, ConventionalArgument>> | undefined {
  const keyed = resource ? keyedParameters(resource, resources) : new Set<string>();
  const ids = (params: ParamArguments) => idArguments(params, keyed, field);
  switch (descriptor?.kind) {
    case 'list':
      return { ...ids(descriptor.params), ...page(resource) };
    case 'connection':
      return page(resource);
    case 'get':
      return { ...ids(descriptor.params), ...(descriptor.by && oneOfKeys(descriptor.by, field)) };
    case 'create':
      return { ...ids(descriptor.params), ...input(descriptor.input) };
    case 'replace': {
      const absent = resource?.actions.replace?.creates ? IF_ABSENT : {};
      return { ...ids(descriptor.params), ...input(descriptor.input), ...IF_VERSION, ...absent };
    }
    case 'update':
      return { ...ids(descriptor.params), ...input(descriptor.input), ...IF_VERSION };
    case 'delete':
      return { ...ids(descriptor.params), ...IF_VERSION };
    case 'reference':
      return {};
    case 'created':
    case 'updated':
    case 'deleted':
      return eventFilters(resource, descriptor.kind === 'created', field);
    default:
      return undefined;
  }
}

/** The type of a field by the conventions. */
export function typeOf(descriptor: FieldDescriptor | undefined, name: string): string | undefined {
  switch (descriptor?.kind) {
    case 'list':
    case 'connection':
      return `${name}Connection!`;
    case 'get':
    case 'reference':
      return name;
    case 'create':
    case 'replace':
    case 'update':
    case 'created':
    case 'updated':
      return `${name}!`;
    case 'delete':
    case 'deleted':
      return 'ID!';
    default:
      return undefined;
  }
}

const IF_VERSION = { ifVersion: { type: 'Int', required: false } };
const IF_ABSENT = { ifAbsent: { type: 'Boolean', required: false } };

const input = (type: string) => ({ input: { type: `${type}!`, required: true } });

/** Ids are `ID`; the scalar of another key is that of its property, which parity compares. */
const idArguments = (params: ParamArguments, keyed: ReadonlySet<string>, field: SdlField['field']) =>
  Object.fromEntries(
    Object.entries(params).map(([name, parameter]) => [
      name,
      { type: keyed.has(parameter) ? `${writtenType(field, name)}!` : 'ID!', required: true },
    ]),
  );

/** Exactly one of them is given, so that each may be left out. */
const oneOfKeys = (by: readonly string[], field: SdlField['field']) =>
  Object.fromEntries(
    by.map((name) => [name, { type: name === 'id' ? 'ID' : writtenType(field, name), required: true }]),
  );

/** The author's choice of a type, without `!`. */
const writtenType = ({ args }: SdlField['field'], name: string): string =>
  args
    .find((arg) => arg.name === name)
    ?.type.toString()
    .replace(/!$/, '') ?? 'ID';

/** `filter` and `sort` exist only where the list has filters and sort keys. */
function page(resource: ResourceDescriptor | undefined): Record<string, ConventionalArgument> {
  const { name, list } = resource ?? {};
  return {
    first: { type: 'Int', required: true },
    after: { type: 'String', required: true },
    ...(list?.pagesBack && { last: { type: 'Int', required: true }, before: { type: 'String', required: true } }),
    ...(isFiltered(list) && { filter: { type: `${name}Filter`, required: false } }),
    ...(list?.search && { search: { type: 'String', required: false } }),
    ...(list?.sorts.length && { sort: { type: `[${name}Sort!]`, required: false } }),
  };
}

/** Events can be filtered by id, parent and references; those of new resources not by id, which is not known yet. */
function eventFilters(
  resource: ResourceDescriptor | undefined,
  isNew: boolean,
  field: SdlField['field'],
): Record<string, ConventionalArgument> {
  const names = (resource?.properties ?? [])
    .filter(({ name, origin, references }) => references || origin === 'parent' || (name === 'id' && !isNew))
    .map(({ name }) => name);
  return Object.fromEntries(
    names.map((name) => [name, { type: name === 'id' ? 'ID' : writtenType(field, name), required: false }]),
  );
}
