import { type Role, rolesIn, type SampleRequest } from '../../../compiler/emit/index.ts';
import { exampleOf, flat, givenExample, variantOf } from '../../../compiler/json-schema/index.ts';
import type { ContractModel, OperationModel } from '../../../compiler/model/index.ts';
import { conventionNames } from '../../../descriptor/convention-names.ts';
import type { Response } from '../../../descriptor/document.ts';
import { isPlainObject, type PlainObject } from '../../../descriptor/plain-object.ts';
import {
  furtherPaths,
  namingProperty,
  type PropertyDescriptor,
  type ResourceDescriptor,
} from '../../../descriptor/resource.ts';

/** How many ids before that of a new row are taken by others that samples name. */
const TAKEN = 3;

/** What samples are answered: rows as they are then. */
export class SampleAnswers {
  readonly #model: ContractModel;
  readonly #requests: ReadonlyMap<string, SampleRequest>;
  readonly #operations: ReadonlyMap<string, OperationModel>;
  readonly #roles: ReadonlyMap<string, Role>;

  constructor(model: ContractModel, requests: ReadonlyMap<string, SampleRequest>) {
    this.#model = model;
    this.#requests = requests;
    this.#operations = new Map(model.operations.map((one) => [one.operationId, one]));
    this.#roles = rolesIn(model.resources);
  }

  /** The body of an operation's first answer of success; undefined: it has none, or the contract does not say enough. */
  of(operationId: string, request = this.#requests.get(operationId)): unknown {
    const { document } = this.#model;
    const operation = this.#operations.get(operationId);
    const media = operation && successOf(operation)?.[1].content?.['application/json'];
    if (typeof media?.schema !== 'object') return undefined;
    const given = givenExample(document, media);
    if (given !== undefined) return given;
    const { resource, action } = this.#roles.get(operationId) ?? {};
    if (!resource) return exampleOf(document, media.schema, 'writeOnly');
    switch (action) {
      case 'create':
        return this.#created(resource, request);
      case 'replace':
      case 'update':
        return this.#changed(resource, action, request);
      case 'get':
        return this.row(resource, request);
      case 'list':
        return page(exampleOf(document, media.schema, 'writeOnly'), this.row(resource, request), resource);
      default:
        return exampleOf(document, media.schema, 'writeOnly');
    }
  }

  /** The row that a request reads. */
  row(resource: ResourceDescriptor, request?: SampleRequest): unknown {
    const { document, resources } = this.#model;
    const { parent, properties, schemas } = resource;
    const shown = exampleOf(document, { $ref: `#/components/schemas/${schemas.resource}` }, 'writeOnly');
    if (!isPlainObject(shown)) return shown;
    const own = this.#pathOf(resource);
    const isBelow = (key: string): boolean => key === parent?.resource;
    const named = properties.flatMap(({ name, nullable, references }): [string, unknown][] => {
      if (!references || shown[name] == null) return [];
      const to = resources.find(({ key }) => key === references.resource);
      if (to === resource) return nullable ? [[name, null]] : [];
      const from = isBelow(references.resource) && request ? request : undefined;
      const id = to && this.#idOf(to, from, isBelow(to.key) ? parent?.parameter : undefined);
      return id === undefined ? [] : [[name, id]];
    });
    const keys = [...(own?.inPath ?? []), ...(request?.inPath ?? [])].flatMap(
      ({ name, given }): [string, unknown][] => {
        if (name === resource.idParameter) return [[namingProperty(resource), given]];
        return furtherPaths(resource).some(({ property }) => property === name) ? [[name, given]] : [];
      },
    );
    return { ...shown, ...Object.fromEntries([...named, ...keys].filter(([name]) => name in shown)) };
  }

  /** The request that reads a row, whose path names it. */
  #pathOf({ actions }: ResourceDescriptor): SampleRequest | undefined {
    return this.#requests.get(actions.get?.operationId ?? '');
  }

  /** The id of the row that a path names, by its parameter; of one that is found by another key, undefined. */
  #idOf(to: ResourceDescriptor, from = this.#pathOf(to), parameter = to.idParameter): unknown {
    if (namingProperty(to) !== 'id') return undefined;
    return from?.inPath.find(({ name }) => name === parameter)?.given;
  }

  /** What is not sent has its initial value, or null. */
  #created(resource: ResourceDescriptor, request: SampleRequest | undefined): unknown {
    const shown = this.row(resource, request);
    if (!isPlainObject(shown)) return shown;
    const { createdAt, updatedAt, createdBy, updatedBy } = conventionNames(resource.nameCase);
    const { properties = {} } = this.#schemaOf(resource);
    const id = variantOf(flat(this.#model.document, properties['id']), shown['id'], TAKEN) ?? shown['id'];
    const ofCaller = [createdBy, updatedBy, resource.owner?.property, resource.tenant?.property];
    const managed: PlainObject = { id, version: 1, [updatedAt]: shown[createdAt] };
    return this.#filled(resource, shown, request, ({ name, origin, initial, nullable }) => {
      if (origin === 'managed') return managed[name] ?? shown[name];
      if (origin === 'parent' || ofCaller.includes(name)) return shown[name];
      if (initial !== undefined) return initial;
      if (!nullable) return shown[name];
      return name in shown ? null : undefined;
    });
  }

  #changed(resource: ResourceDescriptor, action: 'replace' | 'update', request: SampleRequest | undefined): unknown {
    const shown = this.row(resource, request);
    if (!isPlainObject(shown)) return shown;
    const { version } = shown;
    const next: PlainObject = { ...shown, ...(typeof version === 'number' && { version: version + 1 }) };
    return this.#filled(resource, next, request, ({ name, origin, initial, immutable, nullable, transitions }) => {
      const stays = action === 'update' || origin !== 'input' || immutable || transitions || !(name in next);
      return stays ? next[name] : (initial ?? (nullable ? null : next[name]));
    });
  }

  #schemaOf = ({ schemas }: ResourceDescriptor) =>
    flat(this.#model.document, { $ref: `#/components/schemas/${schemas.resource}` });

  /** The properties that are shown: what was sent, and what the others are. */
  #filled(
    resource: ResourceDescriptor,
    shown: PlainObject,
    request: SampleRequest | undefined,
    otherwise: (property: PropertyDescriptor) => unknown,
  ): PlainObject {
    const { properties = {}, required = [] } = this.#schemaOf(resource);
    const sent = isPlainObject(request?.body?.value) ? request.body.value : {};
    const entries = Object.entries(properties).flatMap(([name, schema]): [string, unknown][] => {
      const property = resource.properties.find((one) => one.name === name);
      const { writeOnly, readOnly } = flat(this.#model.document, schema);
      if (writeOnly || !property) return writeOnly ? [] : [[name, shown[name]]];
      const isSent = sent[name] !== undefined && property.origin === 'input' && !readOnly;
      return [[name, isSent ? merged(shown[name], sent[name], request?.method) : otherwise(property)]];
    });
    return Object.fromEntries(entries.filter(([name, value]) => value !== undefined || required.includes(name)));
  }
}

/** The first answer of success, with its status. */
export const successOf = ({ responses }: OperationModel): readonly [status: string, response: Response] | undefined =>
  [...responses].find(([status]) => status.startsWith('2'));

/** As RFC 7396 has it where a part is sent, else what was sent. */
function merged(old: unknown, sent: unknown, method: string | undefined): unknown {
  if (method !== 'PATCH' || !isPlainObject(old) || !isPlainObject(sent)) return sent;
  const all = Object.entries({ ...old, ...sent }).map(([name, value]) => [name, merged(old[name], value, method)]);
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

/** A page that has one entry, and is the only one; entries are counted only where a request asks for it. */
function page(example: unknown, row: unknown, { nameCase }: ResourceDescriptor): unknown {
  if (!isPlainObject(example) || !isPlainObject(example['page'])) return example;
  const { nextCursor, previousCursor, totalCount, totalCountIsExact } = conventionNames(nameCase);
  const about = Object.entries(example['page']).flatMap(([name, value]) => {
    if (name === totalCount || name === totalCountIsExact) return [];
    return [[name, name === nextCursor || name === previousCursor ? null : value]];
  });
  return { ...example, data: [row], page: Object.fromEntries(about) };
}
