import { conventionNames, type NameCase } from '../../../descriptor/convention-names.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { schemaNameOf } from '../../../descriptor/references.ts';
import { ACTIONS } from '../../../descriptor/resource.ts';
import { REQUESTS } from '../action-requests.ts';
import type {
  Collected,
  ContractDraft,
  FurtherDraft,
  LookupDraft,
  NearMiss,
  ObjectDraft,
  OperationDraft,
  ParentDraft,
  ResourceDraft,
} from '../draft.ts';
import { hasOwnExtension, usesExtensions } from '../extensions/uses-extensions.ts';
import { namingOf } from '../name-case.ts';
import { camelCase, lowerFirst, parameterOf, pathSegments, pathShape, resourceKey } from '../naming.ts';
import { jsonContent } from '../responses.ts';
import { flatSchema } from '../schemas.ts';
import { inlineObjectDraft, objectDraft } from './object-draft.ts';
import { readFurther } from './read-further.ts';
import { mappedTable, tableOf } from './storage-names.ts';

/** Properties that make an object a resource, in the case of the document; the server sets them. */
export function managedProperties(nameCase: NameCase): readonly string[] {
  const { createdAt, updatedAt } = conventionNames(nameCase);
  return ['id', 'version', createdAt, updatedAt];
}

/** A table of others may lack times. */
const MAPPED = ['id', 'version'];

/** `x-resource: false` on a schema: its operations are served as they are, by handlers. */
const NO_RESOURCE = 'x-resource';

export type Recognition = Pick<ContractDraft, 'resources' | 'foreign' | 'nearMisses' | 'conventional'>;

/** What other resources join to its rows is found when all are known. */
type RecognisedResource = ResourceDraft & { readonly further: FurtherDraft[] };

/** The operations of a document, by the shape of their paths. */
type ByShape = ReadonlyMap<string, readonly OperationDraft[]>;

interface Candidate {
  readonly get: OperationDraft;
  /** The schema as it occurs in the 200 response. */
  readonly node: object;
  readonly named: boolean;
  readonly schema: ObjectDraft;
  readonly missing: readonly string[];
}

/**
 * Finds the resources: named objects with the managed properties that `GET /<collection>/{x}` returns. In a document that another
 * tool has written they are foreign: it has no SDL, no extension of the conventions, and no list of `data` and `page`.
 */
export function recognise(contract: Collected, hasSdl = false): Recognition {
  const { document, operations } = contract;
  const byShape = Map.groupBy(operations, ({ shape }) => shape);
  const candidates = operations.flatMap((operation) => candidate(document, operation) ?? []);
  const isConvention = (found: Candidate): boolean => isPaged(document, byShape, found);
  const conventional = hasSdl || usesExtensions(contract) || candidates.some(isConvention);
  const resources: RecognisedResource[] = [];
  const items = candidates.filter((found) => isResource(found) && !candidates.some((one) => isLookup(found, one)));
  for (const found of items.sort(shallowFirst)) {
    const lookups = candidates.filter((one) => isLookup(one, found)).map(lookupDraft);
    resources.push(resourceDraft(document, byShape, resources, found, lookups));
  }
  resources.sort((a, b) => operations.indexOf(a.operations.get) - operations.indexOf(b.operations.get));
  for (const { resource, further } of readFurther(document, operations, resources))
    if (further) resources.find((one) => one === resource)?.further.push(further);
  const nearMisses = candidates
    .filter((found) => !isResource(found))
    .flatMap((found) => nearMiss(document, byShape, found, conventional) ?? []);
  return {
    resources: conventional ? resources : [],
    ...(!conventional && { foreign: resources }),
    nearMisses,
    conventional,
  };
}

function candidate(document: OpenApiDocument, get: OperationDraft): Candidate | undefined {
  const [item, collection] = pathSegments(get.path).toReversed();
  const itemPath = parameterOf(item) !== undefined && collection !== undefined && parameterOf(collection) === undefined;
  const node = jsonContent(get.responses.get('200'))?.schema;
  if (get.method !== 'get' || !itemPath || typeof node !== 'object') return undefined;
  const name = schemaNameOf(node);
  const schema =
    name === undefined ? inlineObjectDraft(document, 'an inline schema', node) : objectDraft(document, name);
  if (schema === undefined || schema.flat.keywords.get(NO_RESOURCE)?.value === false) return undefined;
  const managed = mappedTable(schema) ? MAPPED : managedProperties(namingOf(document).case);
  const missing = managed.filter((property) => !schema.properties.has(property));
  return { get, node, named: name !== undefined, schema, missing };
}

/** Whether the list of what has the managed properties, or all but one, answers a page as the conventions have it. */
function isPaged(document: OpenApiDocument, operations: ByShape, { get, missing }: Candidate): boolean {
  const { list } = missing.length > 1 ? {} : actionsAt(operations, collectionOf(get));
  const schema = jsonContent(list?.responses.get('200'))?.schema;
  if (schema === undefined) return false;
  const { properties } = flatSchema(document, schema);
  return properties.has('data') && properties.has('page');
}

const collectionOf = ({ path }: OperationDraft): string => path.slice(0, path.lastIndexOf('/'));

function isResource(found: Candidate): boolean {
  return found.named && found.missing.length === 0;
}

/** `/products/by-sku/{sku}` beside `/products/{productId}`, of the same schema. */
function isLookup({ get, schema, named }: Candidate, item: Candidate): boolean {
  if (!named || schema.name !== item.schema.name) return false;
  const property = keyOf(get, schema);
  if (property === undefined) return false;
  const segments = pathSegments(get.path);
  const above = pathShape(segments.slice(0, -2).join('/'));
  return camelCase(segments.at(-2)!) === camelCase(`by-${property}`) && item.get.shape === pathShape(`${above}/{}`);
}

/** The property that the last parameter of a path is named after; the id has no need of it. */
function keyOf(get: OperationDraft, schema: ObjectDraft): string | undefined {
  const name = parameterOf(pathSegments(get.path).at(-1))!;
  return name !== 'id' && schema.properties.has(name) ? name : undefined;
}

const lookupDraft = ({ get, schema }: Candidate): LookupDraft => ({
  kind: 'lookup',
  action: 'get',
  property: keyOf(get, schema)!,
  operation: get,
});

function shallowFirst(a: Candidate, b: Candidate): number {
  return pathSegments(a.get.path).length - pathSegments(b.get.path).length;
}

function resourceDraft(
  document: OpenApiDocument,
  operations: ByShape,
  shallower: readonly ResourceDraft[],
  { get, schema }: Candidate,
  further: FurtherDraft[],
): RecognisedResource {
  const path = collectionOf(get);
  const actions = actionsAt(operations, path);
  const input = writtenSchema(document, schema.name, 'Input', actions.create ?? actions.replace);
  const patch = writtenSchema(document, schema.name, 'Patch', actions.update);
  const page = pageSchema(document, schema.name, actions.list);
  const parent = parentDraft(shallower, path, schema);
  const keyProperty = keyOf(get, schema);
  const mapped = mappedTable(schema);
  return {
    key: resourceKey(path),
    nameCase: namingOf(document).case,
    name: schema.name,
    table: tableOf(path, schema),
    ...(mapped && { mapped }),
    path,
    idParameter: parameterOf(pathSegments(get.path).at(-1))!,
    ...(keyProperty !== undefined && { keyProperty }),
    further,
    schema,
    ...(input && { input }),
    ...(patch && { patch }),
    ...(page && { page }),
    operations: { ...actions, get },
    ...(parent && { parent }),
  };
}

/** What callers send: the schema of the conventional name, or else the one that the operation names. */
function writtenSchema(
  document: OpenApiDocument,
  name: string,
  suffix: 'Input' | 'Patch',
  operation: OperationDraft | undefined,
): ObjectDraft | undefined {
  const conventional = objectDraft(document, name + suffix);
  if (conventional || !operation) return conventional;
  const [media] = Object.values(operation.body?.content ?? {});
  const named = schemaNameOf(media?.schema);
  return named === undefined || named === name ? undefined : objectDraft(document, named);
}

/** What a list answers with, in the same way; `WebPage` may be a resource beside `Web`, and is no page then. */
function pageSchema(document: OpenApiDocument, name: string, list: OperationDraft | undefined) {
  const conventional = objectDraft(document, `${name}Page`);
  if (conventional?.properties.has('data') || !list) return conventional;
  const named = schemaNameOf(jsonContent(list.responses.get('200'))?.schema);
  return named === undefined || named === name ? undefined : objectDraft(document, named);
}

function actionsAt(operations: ByShape, path: string): Partial<ResourceDraft['operations']> {
  const [ofCollection, ofOne] = [pathShape(path), pathShape(`${path}/{id}`)];
  const own = [ofCollection, ofOne].flatMap((shape) => operations.get(shape) ?? []);
  return Object.fromEntries(
    own.flatMap((operation) => {
      const action = ACTIONS.find((one) => {
        const request = REQUESTS[one];
        return request.method === operation.method && operation.shape === (request.ofCollection ? ofCollection : ofOne);
      });
      return action === undefined ? [] : [[action, operation]];
    }),
  );
}

function parentDraft(shallower: readonly ResourceDraft[], path: string, schema: ObjectDraft): ParentDraft | undefined {
  const segments = pathSegments(path);
  const parameter = segments.map(parameterOf).findLast((name) => name !== undefined);
  if (parameter === undefined) return undefined;
  const above = pathShape(segments.slice(0, -2).join('/'));
  const resource = shallower.find((one) => pathShape(one.path) === above);
  const property = resource?.keyProperty === undefined ? parameter : parentProperty(resource, schema);
  return { parameter, property, ...(resource && { resource }) };
}

/** Below `/products/{sku}`, `productId` or `product_id`: the id of the parent, which the parameter is not. */
function parentProperty({ name }: ResourceDraft, { properties }: ObjectDraft): string {
  const expected = `${lowerFirst(name)}Id`;
  return [...properties.keys()].find((property) => lowerFirst(camelCase(property)) === expected) ?? expected;
}

/** So many actions on one collection cannot be an accident. */
const EVIDENT_ACTIONS = 4;

function nearMiss(
  document: OpenApiDocument,
  operations: ByShape,
  found: Candidate,
  conventional: boolean,
): NearMiss | undefined {
  const { get, schema, missing, node } = found;
  const managed = managedProperties(namingOf(document).case).length - missing.length;
  const tagged = hasOwnExtension(document, schema);
  const actions = Object.keys(actionsAt(operations, collectionOf(get))).length;
  const close = schema.properties.has('id') && (managed > 1 || tagged || actions >= EVIDENT_ACTIONS);
  if (!close) return undefined;
  const evident = conventional && (tagged || managed > 2);
  return {
    get,
    fault: missing.length === 0 ? 'inline' : 'managed',
    name: schema.name,
    node: found.named ? schema.node : node,
    missing,
    severity: evident ? 'error' : 'warning',
  };
}
