import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { levelsFrom } from '../../../descriptor/levels.ts';
import {
  type Action,
  type BatchKind,
  hasTextVersion,
  type OwnRole,
  type ResourceDescriptor,
} from '../../../descriptor/resource.ts';
import {
  camelCase,
  lowerFirst,
  parameterOf,
  pathSegments,
  schemaNamed,
  snakeCase,
  upperFirst,
} from '../../model/index.ts';
import { fieldName } from '../names/graphql-name.ts';

/** The last segment of the collection's path, in camelCase: `lineItems` for `/orders/{orderId}/line-items`. */
export const pluralOf = ({ path }: ResourceDescriptor): string =>
  camelCase(pathSegments(path).findLast((segment) => parameterOf(segment) === undefined) ?? '');

/** The root field that lists a resource: `products`, or `orderItems` for a sub-resource. */
export function rootListName(resource: ResourceDescriptor, parent: ResourceDescriptor | undefined): string {
  return parent ? lowerFirst(parent.name) + upperFirst(pluralOf(resource)) : pluralOf(resource);
}

/** The root field of an action: `deleteProduct`. */
export function actionFieldName(
  resource: ResourceDescriptor,
  action: Action,
  parent: ResourceDescriptor | undefined,
): string {
  if (action === 'list') return rootListName(resource, parent);
  return action === 'get' ? lowerFirst(resource.name) : `${action}${resource.name}`;
}

/** Path parameters of a collection: the ids of the ancestors. */
export const ancestorParameters = ({ path }: ResourceDescriptor): string[] =>
  pathSegments(path).flatMap((segment) => parameterOf(segment) ?? []);

/** The parameters in the path of one that are not ids, but other keys: its own, and those of its ancestors. */
export function keyedParameters(
  resource: ResourceDescriptor,
  resources: readonly ResourceDescriptor[],
): ReadonlySet<string> {
  const keyed = levelsFrom(resource, resources).filter(({ keyProperty }) => keyProperty !== undefined);
  return new Set(keyed.map(({ idParameter }) => idParameter));
}

/** `-createdAt` → `CREATED_AT_DESC`. */
export function sortName(value: string): string {
  const property = value.replace(/^-/, '');
  return `${snakeCase(property).toUpperCase()}_${value.startsWith('-') ? 'DESC' : 'ASC'}`;
}

/** `createdAtMonth` → `CREATED_AT_MONTH`. */
export const groupName = (name: string): string => snakeCase(name).toUpperCase();

/** The root field of a further operation: `orderTotals`, `batchOrderItems`, `linkIssueLabel`. */
export function furtherFieldName(
  resource: ResourceDescriptor,
  role: OwnRole,
  parent: ResourceDescriptor | undefined,
): string {
  switch (role) {
    case 'totals':
      return `${lowerFirst(resource.name)}Totals`;
    case 'batch':
      return `batch${upperFirst(rootListName(resource, parent))}`;
    case 'link':
    case 'unlink':
      return `${role}${resource.name}`;
  }
}

/** A type of the batch of a resource: `ProductBatch`, `ProductBatchItem`. */
export const batchTypeName = ({ name }: Pick<ResourceDescriptor, 'name'>, part = ''): string =>
  `${name}Batch${upperFirst(part)}`;

export const BATCH_MODE = 'BatchMode';

/** All types of the batch of a resource. */
export const batchTypeNames = (
  resource: Pick<ResourceDescriptor, 'name'>,
  kinds: readonly BatchKind[],
): ReadonlySet<string> =>
  new Set([BATCH_MODE, ...['', 'result', 'item', 'key', ...kinds].map((part) => batchTypeName(resource, part))]);

/** The enums of totals, which stand for no schema. */
export const totalTypeNames = (name: string) => ({ group: `${name}Group`, sort: `${name}TotalSort` });

/**
 * The input type of a schema whose own name does not say that it is an input: `BoxInput` for `Box`, and for `BoxInput`;
 * `Box_Input` for `Box` beside a schema `BoxInput`.
 */
export function inputTypeName(document: OpenApiDocument, schema: string): string {
  if (schema.endsWith('Input')) return schema;
  return schemaNamed(document, `${schema}Input`) !== undefined ? `${schema}_Input` : `${schema}Input`;
}

/** The schema of an input type: the one of the same name, or `Address` for `AddressInput`. */
export const schemaOfInput = (type: string, document: OpenApiDocument): string | undefined =>
  [type, type.replace(/Input$/, ''), type.replace(/_Input$/, '')].find(
    (name) => schemaNamed(document, name) !== undefined,
  );

/** The field of a `@oneOf` input for a discriminator's value: `DIGITAL_COPY` → `digitalCopy`. */
export const variantName = (value: string): string =>
  fieldName(/[a-z]/.test(value) ? lowerFirst(camelCase(value)) : camelCase(value.toLowerCase()));

/** The kinds of events, and the subscription field of one: `productCreated`. */
export const EVENTS = ['created', 'updated', 'deleted'] as const;
export type EventKind = (typeof EVENTS)[number];
export const eventFieldName = ({ name }: ResourceDescriptor, kind: EventKind): string =>
  lowerFirst(name) + upperFirst(kind);

/** The type of an event: the row, or the id of what is no longer there. */
export const eventType = ({ name }: ResourceDescriptor, kind: EventKind): string =>
  kind === 'deleted' ? 'ID!' : `${name}!`;

/** The type of a version, and of the one that a write expects. */
export const versionType = (resource: ResourceDescriptor): string => (hasTextVersion(resource) ? 'String' : 'Int');
