import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Access } from '../../../descriptor/access.ts';
import type { FieldDescriptor, GraphqlDescriptor, PropertyField } from '../../../descriptor/graphql.ts';
import type { Session } from '../../admission/session.ts';
import { identityText } from '../../auth/identity-text.ts';
import type { Principal } from '../../auth/principal.ts';
import type { AdmittedCaller } from '../../engine/access/door.ts';
import { admit } from '../../engine/access/inner-door.ts';
import type { Log } from '../../engine/interface/call.ts';
import type { Engine } from '../../engine/interface/engine.ts';
import { ApiError } from '../../errors/api-error.ts';
import { accessOf } from '../fields/wire-resolvers.ts';

/** Those for whom a subscription has the same results. */
interface Audience {
  /** What the results depend on: callers with the same text see the same. */
  readonly key: string;
  /** When the first of the caller's credentials expires that the subscription needs, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** A session for all of them, which does not expire: its requests are nobody's own. */
  session(requestId: string, log: Log): Session;
}

/** The audience of a document that one caller belongs to; undefined if nobody else surely sees the same. */
export type AudienceOf = (document: DocumentNode, session: Session) => Audience | undefined;

export interface AudienceOptions {
  readonly schema: GraphQLSchema;
  readonly descriptor: GraphqlDescriptor;
  readonly engine: Engine;
  /** Coordinates of the fields whose resolvers are replaced by hand-written ones, which get the whole session. */
  readonly replaced: ReadonlySet<string>;
}

/** What a field reads of its caller. */
interface Reading {
  readonly access: Access;
  /** The resource whose owners decide; undefined where hand-written code does, by anything about its caller. */
  readonly resource: string | undefined;
}

/** Finds audiences by the rules that the fields of a document are subject to: their accesses, and owners of rows. */
export function createAudiences(options: AudienceOptions): AudienceOf {
  const known = new WeakMap<DocumentNode, readonly Reading[] | undefined>();
  return (document, session) => {
    if (!known.has(document)) known.set(document, readingsOf(document, options));
    const readings = known.get(document);
    if (!readings) return undefined;
    try {
      return audience(readings, session, options.engine);
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  };
}

/** Throws what a field throws that does not admit the caller: its error belongs to this caller. */
function audience(readings: readonly Reading[], session: Session, engine: Engine): Audience {
  const texts = readings.map(({ access, resource }) => {
    const caller = session.admit(access);
    return resource === undefined ? identityText(caller.principal) : engine.filterKeyOf(resource, caller);
  });
  const accesses = [...new Set(readings.map(({ access }) => access))];
  const isWhole = (access: Access): boolean =>
    readings.some((reading) => reading.access === access && reading.resource === undefined);
  const principals = new Map(accesses.map((access) => [access, session.admit(access).principal]));
  return {
    key: JSON.stringify(texts),
    expiresAtMs: Math.min(...[...principals.values()].map((one) => one?.expiresAtMs ?? Number.POSITIVE_INFINITY)),
    session: (requestId, log) => {
      const callers = accesses.map((access): [Access, AdmittedCaller] => {
        const own = principals.get(access);
        return [access, admit(access, { principal: isWhole(access) ? own : lasting(own), requestId, log })];
      });
      return new SharedSession(requestId, log, new Map(callers));
    },
  };
}

/** Whether credentials have expired is checked for each member of the audience. */
const lasting = (principal: Principal | undefined): Principal | undefined =>
  principal && { ...principal, expiresAtMs: Number.POSITIVE_INFINITY };

/** Undefined if hand-written code gets the whole session. */
function readingsOf(document: DocumentNode, options: AudienceOptions): readonly Reading[] | undefined {
  const { schema, descriptor, engine, replaced } = options;
  const coordinates = coordinatesIn(document, schema).filter((coordinate) => descriptor.fields[coordinate]);
  if (coordinates.some((coordinate) => replaced.has(coordinate))) return undefined;
  return coordinates.flatMap((coordinate) => {
    const field = descriptor.fields[coordinate]!;
    // A property is read with its object.
    return field.kind === 'property' ? [] : [readingOf(field, engine)];
  });
}

function readingOf(field: Exclude<FieldDescriptor, PropertyField>, engine: Engine): Reading {
  const access = accessOf(engine, field);
  if (field.kind === 'custom') return { access, resource: undefined };
  const isOverridden = engine.isOverridden(field.resource, 'get') || engine.isOverridden(field.resource, 'list');
  return { access, resource: isOverridden ? undefined : field.resource };
}

/** Coordinates of all fields that a document may reach: `Product.reviews`. */
function coordinatesIn(document: DocumentNode, schema: GraphQLSchema): readonly string[] {
  const info = new TypeInfo(schema);
  const found = new Set<string>();
  const add = ({ name }: FieldNode): void => {
    for (const type of typesOf(info.getParentType(), schema)) found.add(`${type}.${name.value}`);
  };
  visit(document, visitWithTypeInfo(info, { Field: add }));
  return [...found].sort();
}

function typesOf(parent: GraphQLCompositeType | null | undefined, schema: GraphQLSchema): readonly string[] {
  if (!parent) return [];
  return isAbstractType(parent) ? schema.getPossibleTypes(parent).map(({ name }) => name) : [parent.name];
}

class SharedSession implements Session {
  readonly requestId: string;
  readonly log: Log;
  readonly subject = undefined;
  readonly #callers: ReadonlyMap<Access, AdmittedCaller>;

  constructor(requestId: string, log: Log, callers: ReadonlyMap<Access, AdmittedCaller>) {
    this.requestId = requestId;
    this.log = log;
    this.#callers = callers;
  }

  admit(access: Access): AdmittedCaller {
    const caller = this.#callers.get(access);
    if (caller) return caller;
    throw new Error('A subscription asks for an access that its document does not name.');
  }

  callerFor(access: Access): AdmittedCaller {
    return this.admit(access);
  }
}
