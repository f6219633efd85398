import type { Access } from '../../descriptor/access.ts';
import type { MediaType, Parameter } from '../../descriptor/document.ts';
import { schemaUri } from '../../descriptor/references.ts';
import {
  furtherPaths,
  isOfCaller,
  linksOf,
  namingProperty,
  operationsOf,
  type PropertyDescriptor,
  type ResourceDescriptor,
  type Role,
  readKeys,
  resourceWithKey,
} from '../../descriptor/resource.ts';
import { operationWithId } from '../../descriptor/rest.ts';
import { exampleOf, givenExample, givenExamples, variantOf } from '../json-schema/example.ts';
import { documentedOf, flat, type ValueSchema } from '../json-schema/value-schema.ts';
import type { ContractModel, OperationModel } from '../model/model.ts';

/** What samples are made of. */
export interface SampleSource extends Pick<ContractModel, 'document' | 'resources'> {
  readonly operations: readonly Pick<
    OperationModel,
    'operationId' | 'method' | 'path' | 'access' | 'parameters' | 'body'
  >[];
}

/**
 * The rows of a resource that samples name: one is read, changed and referred to, one is deleted, and one more is what new rows
 * refer to where the first is taken. They are the first, second and third examples of the contract.
 */
const [KEPT, SPARE, OTHER] = [0, 1, 2];
/** What a new row is named. */
const NEW = 3;
/** What a key becomes that is changed: another than that of a new row. */
const CHANGED = 2;

type Members = Record<string, unknown>;

/** What an operation does with which resource: a look-up gets, a list through another lists. */
interface Work {
  readonly resource: ResourceDescriptor;
  readonly action: Role;
}

/** The roles of operations, by their ids. */
const rolesIn = (resources: readonly ResourceDescriptor[]): ReadonlyMap<string, Work> =>
  new Map(
    resources.flatMap((resource) =>
      operationsOf(resource).map(({ operationId, action }) => [operationId, { resource, action }] as const),
    ),
  );

/** Chooses the rows that samples are about, so that each of them succeeds, alone and after the others. */
export class SampleValues {
  readonly #source: SampleSource;
  readonly #roles: ReadonlyMap<string, Work>;

  constructor(source: SampleSource) {
    this.#source = source;
    this.#roles = rolesIn(source.resources);
  }

  /** Whether a caller who may go without a token sees, or may refer to, more with one. */
  dependOnCaller(operationId: string, { anyOf }: Access): boolean {
    const { resource, action } = this.#roles.get(operationId) ?? {};
    if (!resource || anyOf.length === 0) return false;
    const isSent = action === 'create' || action === 'replace' || action === 'update';
    const referredTo = resource.properties.flatMap(({ origin, references }) =>
      isSent && origin === 'input' && references && !references.allowsHidden
        ? [resourceWithKey(this.#source.resources, references.resource)]
        : [],
    );
    return [resource, ...referredTo].some(({ rowAccess, owner }) => rowAccess || owner?.reads === 'owner');
  }

  /** Whose token it must be, where a row is the caller: the `sub` is the id of the row that is read, deleted or made. */
  subject(operationId: string): unknown {
    const { resource, action } = this.#roles.get(operationId) ?? {};
    if (!resource || action === 'list' || !isOfCaller(resource)) return undefined;
    return this.#idOf(resource.key, action === 'create' ? NEW : action === 'delete' ? SPARE : KEPT);
  }

  /** What a parameter is sent as: an example of the contract's, if it has one. */
  parameter(operationId: string, parameter: Parameter): unknown {
    const { action, resource } = this.#roles.get(operationId) ?? {};
    const isKey = (one: { property: string; operationId: string }): boolean =>
      one.operationId === operationId && one.property === parameter.name;
    if (resource && furtherPaths(resource).some(isKey)) return this.#lookedUp(resource, parameter);
    const { path } = operationWithId(this.#source.operations, operationId);
    const link = resource && linksOf(resource).find((one) => one.operationId === operationId);
    if (link?.parameter === parameter.name)
      return this.#named(parameter, KEPT, resourceWithKey(this.#source.resources, link.ends[1].resource));
    const named = this.#source.resources.find((one) => parameter.name === one.idParameter && isWithin(path, one));
    if (!named || parameter.in !== 'path') return this.plain(parameter);
    return this.#named(parameter, action === 'delete' && named === resource ? SPARE : KEPT, named);
  }

  /** The same where no rows are concerned. A list has an entry, so that there is something to send. */
  plain(parameter: Parameter): unknown {
    const given = givenExample(this.#source.document, parameter);
    if (given !== undefined) return given;
    const own = schemaOf(parameter);
    const value = exampleOf(this.#source.document, own);
    if (!Array.isArray(value) || value.length > 0) return value;
    const entry = exampleOf(this.#source.document, flat(this.#source.document, own).items ?? {});
    return entry === undefined ? value : [entry];
  }

  /** The members of a parameter that is not written by its own name, each as a parameter. */
  members(parameter: Parameter): readonly Parameter[] | undefined {
    const nameOf = memberNames(parameter);
    if (!nameOf) return undefined;
    const { properties, required = [] } = flat(this.#source.document, (parameter.schema ?? {}) as ValueSchema);
    if (!properties) return parameter.style === 'deepObject' ? [] : undefined;
    return Object.entries(properties).map(
      ([member, own]) =>
        ({
          in: 'query',
          name: nameOf(member),
          required: parameter.required === true && required.includes(member),
          schema: own,
        }) as Parameter,
    );
  }

  /** A body. One that the contract gives no example of refers to rows that are there, and what is new has keys of its own. */
  body(operationId: string, media: MediaType): unknown {
    const given = givenExample(this.#source.document, media);
    if (given !== undefined) return given;
    const schema = (media.schema ?? {}) as ValueSchema;
    const made = exampleOf(this.#source.document, schema, 'readOnly');
    const role = this.#roles.get(operationId);
    if (!role || typeof made !== 'object' || made === null) return made;
    const { resource, action } = role;
    const members: Members = { ...made };
    for (const { name, references } of resource.properties)
      if (references && members[name] != null) members[name] = this.#idOf(references.resource, KEPT);
    if (action === 'create') this.#renew(resource, members, schema);
    if (action === 'update' && Object.keys(members).length === 0) return this.#change(resource, schema);
    if (action === 'replace') this.#keep(resource, operationId, members);
    return members;
  }

  /** Keys are those that no other row has; one of references alone has another row at its end. */
  #renew(resource: ResourceDescriptor, members: Members, schema: ValueSchema): void {
    const { properties = {} } = flat(this.#source.document, schema);
    const named = namingProperty(resource);
    if (members['id'] !== undefined) members['id'] = this.#nth(properties['id'] ?? {}, KEPT, resource);
    for (const key of [['id'], ...resource.unique]) {
      const sent = resource.properties.filter(({ name }) => key.includes(name) && members[name] != null);
      const own = sent.find(({ name, references }) => !references && name !== resource.owner?.property);
      const end = sent.findLast(({ references }) => references);
      if (own)
        members[own.name] =
          variantOf(
            flat(this.#source.document, properties[own.name]),
            members[own.name],
            own.name === named ? NEW : 1,
          ) ?? members[own.name];
      else if (end?.references) members[end.name] = this.#idOf(end.references.resource, OTHER);
    }
  }

  /** One property that any row may have, not what it is read by, a reference or a state: a key, or what not all may write, at last. */
  #change(resource: ResourceDescriptor, schema: ValueSchema): Members {
    const { properties, unique } = resource;
    const { document } = this.#source;
    const keys = new Set(unique.flat());
    const readBy = readKeys(resource);
    const sent = flat(document, schema).properties ?? {};
    const able = properties.filter(
      ({ name, origin, immutable, references, transitions }) =>
        origin === 'input' && !immutable && !references && !transitions && !readBy.includes(name) && sent[name],
    );
    const rank = ({ name, access }: PropertyDescriptor): number => (keys.has(name) ? 2 : access ? 1 : 0);
    for (const { name } of able.toSorted((a, b) => rank(a) - rank(b))) {
      const value = exampleOf(document, sent[name] ?? {}, 'readOnly');
      const own = keys.has(name) ? variantOf(flat(document, sent[name]), value, CHANGED) : value;
      if (own != null) return { [name]: own };
    }
    return {};
  }

  /** What a row is read by stays. */
  #keep(resource: ResourceDescriptor, operationId: string, members: Members): void {
    const { operations } = this.#source;
    const own = { property: namingProperty(resource), operationId, parameter: resource.idParameter };
    const others = furtherPaths(resource).map((one) => ({ ...one, parameter: one.property }));
    for (const { property, operationId: id, parameter } of [own, ...others]) {
      const found = operationWithId(operations, id).parameters.find(({ name }) => name === parameter);
      if (found && members[property] !== undefined)
        members[property] =
          parameter === property ? this.#lookedUp(resource, found) : this.#named(found, KEPT, resource);
    }
  }

  /** The id of a row, as properties refer to it. */
  #idOf(key: string, row: number): unknown {
    const { document, operations, resources } = this.#source;
    const resource = resourceWithKey(resources, key);
    const { idParameter, actions, schemas } = resource;
    const parameters = actions.get ? operationWithId(operations, actions.get.operationId).parameters : [];
    const parameter = parameters.find(({ name }) => name === idParameter);
    if (parameter && namingProperty(resource) === 'id') return this.#named(parameter, row, resource);
    const whole = flat(document, { $ref: schemaUri(schemas.resource) });
    return this.#nth(whole.properties?.['id'] ?? {}, row, resource);
  }

  /** What a row has that is found by another key than that of its path: of a parameter without examples, as the property says. */
  #lookedUp({ schemas }: ResourceDescriptor, parameter: Parameter): unknown {
    const { document } = this.#source;
    const { properties = {} } = flat(document, { $ref: schemaUri(schemas.resource) });
    const given =
      givenExample(this.#source.document, parameter) ?? documentedOf(flat(document, schemaOf(parameter)))[0];
    return given ?? exampleOf(document, properties[parameter.name] ?? schemaOf(parameter));
  }

  /** What names a row in a path. */
  #named(parameter: Parameter, row: number, resource: ResourceDescriptor): unknown {
    const given = givenExamples(this.#source.document, parameter);
    return given[row] ?? given[KEPT] ?? this.#nth(schemaOf(parameter), row, resource);
  }

  #nth(schema: ValueSchema, row: number, resource: ResourceDescriptor): unknown {
    const whole = flat(this.#source.document, schema);
    const documented = documentedOf(whole);
    const isFree = whole.format === 'uuid' && documented.length === 0;
    const first = isFree ? this.#uuidOf(resource) : exampleOf(this.#source.document, schema);
    if (row === KEPT || documented.length > 0) return documented[row] ?? first;
    return variantOf(whole, first, row) ?? first;
  }

  /** As no two rows have one UUID, no two resources do. */
  #uuidOf(resource: ResourceDescriptor): string {
    const place = this.#source.resources.indexOf(resource) + 1;
    return `019bc0de-7c00-7000-8000-${(place * 0x1000 + 1).toString(16).padStart(12, '0')}`;
  }
}

/** Whether a path is that of a row, or goes on from one. */
const isWithin = (path: string, { path: collection, idParameter }: ResourceDescriptor): boolean =>
  `${path}/`.startsWith(`${collection}/{${idParameter}}/`);

const schemaOf = ({ schema, content = {} }: Parameter): ValueSchema =>
  (schema ?? Object.values(content)[0]?.schema ?? {}) as ValueSchema;

/** How the properties of a query parameter are called that is not written by its own name: `price[gte]` of style `deepObject`. */
export function memberNames({ name, in: place, style = 'form', explode = true }: Parameter) {
  if (style === 'deepObject') return (member: string): string => `${name}[${member}]`;
  return place === 'query' && style === 'form' && explode ? (member: string): string => member : undefined;
}
