import { isDeepStrictEqual } from 'node:util';
import { suggestion } from '../../compiler/findings/index.ts';
import { draftOf, filteredOf, listsOf } from '../../compiler/graphql/convention/index.ts';
import { resolveReference } from '../../compiler/json-schema/index.ts';
import { declaredErrors, ERROR_CODES } from '../../compiler/model/errors/index.ts';
import {
  type FurtherDraft,
  lowerFirst,
  namedSchemas,
  type ObjectDraft,
  type OperationDraft,
  operationsOf,
  upperFirst,
} from '../../compiler/model/index.ts';
import {
  INCLUDE_PARAMETER,
  itemSchema,
  pagingParameter,
  parameterSchema,
} from '../../compiler/model/resources/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { Parameter } from '../../descriptor/document.ts';
import { MANAGED } from '../../descriptor/managed-properties.ts';
import { batchesOf, type ResourceDescriptor, totalsOf } from '../../descriptor/resource.ts';
import type { OpenContract } from '../sync/open-contract.ts';
import { sortedProperties } from '../sync/openapi-resource.ts';
import { collectionOf, propertyNamed, resourceNamed } from './addition.ts';
import type { Part } from './document-cut.ts';
import { STANDARD_WORDS } from './new-error.ts';
import { offeredNames, readingsOf } from './new-include.ts';
import { linksRemoval } from './new-links.ts';
import { listNamed } from './new-list-parameter.ts';
import { one } from './read-addition.ts';
import type { Removing } from './removal.ts';
import type { AdditionKind } from './words/addition-kinds.ts';

/** Reads the words of a command line: what is removed, from what, and the rest. Throws `ConfigError`. */
export function readRemoval(kind: AdditionKind, target: string, words: readonly string[]): Removing {
  // Words as they added it, such as `title:string!` or `pages:gte,lte`.
  const names = words.map((word) => word.replace(/:.*$/s, ''));
  switch (kind) {
    case 'resource':
      if (words.length === 0) return resourceRemoval(target);
      throw new ConfigError([
        `A resource is removed as a whole; remove one of its fields with: field ${target} ${names[0]} --remove`,
      ]);
    case 'field':
    case 'reference':
      return fieldRemoval(target, some(names));
    case 'filter':
      return filterRemoval(target, some(names));
    case 'sort':
      return sortRemoval(target, some(names));
    case 'totals':
      return totalsRemoval(target);
    case 'batch':
      return batchRemoval(target);
    case 'links':
      return linksRemoval(target, one(words, 'labels'));
    case 'include':
      return includeRemoval(target, words);
    case 'operation':
      return operationRemoval(target);
    case 'error':
      return errorRemoval(target);
  }
}

function some(names: readonly string[]): readonly string[] {
  if (names.length === 0) throw new ConfigError(['Name the part to remove, like title.']);
  return names;
}

const resourceRemoval =
  (collection: string): Removing =>
  ({ side }) => {
    const resource = resourceNamed(side, collection);
    const draft = draftOf(side, resource);
    const { schema, input, patch, page, path, idParameter, table } = draft;
    return {
      operations: operationsOf(draft),
      schemas: [schema, input, patch, page].flatMap((one) => one?.name ?? []),
      isAlong: (name) => name.startsWith(schema.name),
      path: `${path}/{${idParameter}}`,
      listed: { collection: collectionOf(resource) },
      left: [`the table ${table} with its rows: a file of migrations/ may drop it once no instance serves it`],
      words: [resource.key],
    };
  };

const fieldRemoval =
  (collection: string, names: readonly string[]): Removing =>
  (contract) => {
    const resource = resourceNamed(contract.side, collection);
    const draft = draftOf(contract.side, resource);
    const properties = names.map((name) => propertyOf(resource, name));
    const objects = [draft.schema, draft.input, draft.patch].flatMap((one) => one ?? []);
    const lists = [
      ...filteredOf(draft).flatMap((list) => properties.flatMap((name) => parameterPart(contract, list, name))),
      ...listsOf(draft).flatMap((list) => sortParts(contract, list, properties)),
    ];
    return {
      parts: [...properties.flatMap((name) => objects.flatMap((one) => propertyParts(one, name))), ...lists],
      isAlong: (schema) => properties.some((name) => schema === resource.name + upperFirst(name)),
      listed: { collection: collectionOf(resource), properties },
      left: properties.map(
        (name) => `the column of ${name} with its values: npm run migrate -- --check lists the options`,
      ),
    };
  };

/** The property of a field: `author` may stand for `authorId`. Throws `ConfigError`. */
function propertyOf(resource: ResourceDescriptor, name: string): string {
  if (MANAGED.some((managed) => managed === name)) throw new ConfigError([`Every resource has ${name}.`]);
  const reference = resource.properties.find((one) => one.references && one.name === `${name}Id`);
  return (reference ?? propertyNamed(resource, name)).name;
}

function propertyParts({ flat }: ObjectDraft, name: string): readonly Part[] {
  const holder = flat.properties.get(name)?.holder;
  const required = flat.required.get(name);
  const listed = Array.isArray(required) ? required.indexOf(name) : -1;
  return [
    ...(holder ? [{ holder, key: name }] : []),
    ...(required && listed >= 0 ? [{ holder: required, key: listed, levels: 1 }] : []),
  ];
}

const filterRemoval =
  (collection: string, names: readonly string[]): Removing =>
  (contract) => {
    const lists = filteredOf(draftOf(contract.side, listNamed(contract, collection).resource));
    const parts = names.map((name) => [name, lists.flatMap((list) => parameterPart(contract, list, name))] as const);
    const unknown = parts.find(([, found]) => found.length === 0);
    if (unknown) throw new ConfigError([`The list of ${collection} has no parameter ${unknown[0]}.`]);
    return { parts: parts.flatMap(([, found]) => found) };
  };

const sortRemoval =
  (collection: string, names: readonly string[]): Removing =>
  (contract) => {
    const { list, resource } = listNamed(contract, collection);
    const unknown = names.find((name) => !resource.list?.sorts.some(({ property }) => property === name));
    if (unknown !== undefined) throw new ConfigError([`The list of ${collection} cannot be sorted by ${unknown}.`]);
    return { parts: sortParts(contract, list, names) };
  };

/** The query parameter of an operation, if it declares it. */
function parameterPart({ side: { document } }: OpenContract, { node }: OperationDraft, name: string): readonly Part[] {
  const holder = node.parameters ?? [];
  return holder.flatMap((one, key) => {
    const parameter = resolveReference<Parameter>(document, one);
    return parameter?.in === 'query' && parameter.name === name ? [{ holder, key }] : [];
  });
}

/** The values of `sort` that name properties, or the parameter, if it has no others. */
function sortParts(contract: OpenContract, list: OperationDraft, properties: readonly string[]): readonly Part[] {
  const { document } = contract.side;
  const sort = pagingParameter(list, 'sort');
  const schema = sort && parameterSchema(document, sort);
  const values: unknown = schema && itemSchema(document, schema).keywords.get('enum')?.value;
  if (!Array.isArray(values)) return [];
  const isGoing = (value: unknown): boolean => properties.includes(String(value).replace(/^-/, ''));
  const left = sortedProperties(values.filter((value) => !isGoing(value)).map(String));
  if (left === 0) return parameterPart(contract, list, 'sort');
  const most = schema?.keywords.get('maxItems');
  return [
    ...values.flatMap((value, key) => (isGoing(value) ? [{ holder: values, key }] : [])),
    // As many as there were, where a list could be sorted by all at once.
    ...(most?.value === sortedProperties(values.map(String))
      ? [{ holder: most.node, key: 'maxItems', value: left }]
      : []),
  ];
}

const operationRemoval =
  (operationId: string): Removing =>
  ({ side }) => {
    const operation = side.operations.find((one) => one.operationId === operationId);
    const known = side.operations.map((one) => one.operationId);
    if (!operation)
      throw new ConfigError([`${operationId}: unknown operation; ${lowerFirst(suggestion(operationId, known))}`]);
    const own = upperFirst(operationId);
    return { operations: [operation], isAlong: (name) => name.startsWith(own) && name !== own };
  };

const totalsRemoval =
  (collection: string): Removing =>
  ({ side }) => {
    const [totals] = totalsOf<FurtherDraft>(draftOf(side, resourceNamed(side, collection)));
    if (!totals) throw new ConfigError([`${collection} has no totals.`]);
    return { operations: [totals.operation], schemas: Object.values(totals.schemas) };
  };

const batchRemoval =
  (collection: string): Removing =>
  ({ side }) => {
    const resource = resourceNamed(side, collection);
    const [batch] = batchesOf<FurtherDraft>(draftOf(side, resource));
    if (!batch) throw new ConfigError([`${collection} has no batch.`]);
    return { operations: [batch.operation], isAlong: (name) => name.startsWith(`${resource.name}Batch`) };
  };

/** Removes names that may be included; without any, or with the last ones, the parameter. */
const includeRemoval =
  (collection: string, names: readonly string[]): Removing =>
  (contract) => {
    const readings = readingsOf(contract, collection).map(
      (operation) => [operation, offeredNames(contract, operation)] as const,
    );
    const known = readings.flatMap(([, offered]) => offered?.values ?? []);
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined || known.length === 0)
      throw new ConfigError([`${collection} does not include ${unknown ?? 'anything'}.`]);
    const parts = readings.flatMap(([operation, offered]): readonly Part[] => {
      if (!offered) return [];
      const left = names.length === 0 ? [] : offered.values.filter((value) => !names.includes(value));
      // One is often read without any other parameter.
      if (left.length === 0)
        return parameterPart(contract, operation, INCLUDE_PARAMETER).map((part) => ({ ...part, levels: 1 }));
      const holder = (offered.node as { readonly enum: readonly string[] }).enum;
      return holder.flatMap((value, key) => (names.includes(value) ? [{ holder, key }] : []));
    });
    return { parts };
  };

const errorRemoval =
  (code: string): Removing =>
  ({ side: { document } }) => {
    const declared = declaredErrors(document);
    if (!declared?.codes.includes(code)) throw new ConfigError([`The contract declares no error ${code}.`]);
    const { codes } = declared;
    const schema = declared.schema as { readonly enum: readonly string[]; readonly [ERROR_CODES]: object };
    const words = schema[ERROR_CODES] as Readonly<Record<string, unknown>>;
    const left = codes.filter((one) => one !== code);
    // A contract with the standard codes alone declares none.
    const isStandard = left.every((one) => isDeepStrictEqual(words[one], STANDARD_WORDS[one]));
    const holder = namedSchemas(document);
    const [name] = Object.entries(holder).find(([, one]) => one === declared.schema) ?? [];
    if (isStandard && name !== undefined) return { parts: [{ holder, key: name, levels: 2 }], words: [code] };
    const listed = { holder: schema.enum, key: schema.enum.indexOf(code) };
    return { parts: [listed, { holder: words, key: code }], words: [code] };
  };
