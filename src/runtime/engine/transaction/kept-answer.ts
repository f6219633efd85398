import { pointerTokens } from '../../../descriptor/json-pointer.ts';
import type { Id } from '../../../descriptor/resource.ts';
import { parseStored } from '../../../descriptor/written-number.ts';
import type { BatchResult, Created, Entity } from '../interface/engine.ts';
import type { Resource } from '../resource/resource.ts';
import { formOfText, type Values } from '../resource/row-codec.ts';

/** The answer of a create as it was sent: status 201, `ETag` from the version, the view and the form, `Location`, and the body. */
export interface KeptAnswer {
  /** Hash of what the caller sent. */
  readonly fingerprint: string;
  readonly id: Id;
  readonly version: number;
  readonly viewTag?: string | undefined;
  /** Earlier releases of the server did not store it. */
  readonly form?: string;
  readonly location: string;
  /** JSON text. */
  readonly body: string;
}

type KeptBody = Omit<KeptAnswer, 'fingerprint'>;

const bodyOf = ({ id, version, viewTag, form, json }: Omit<Entity, 'row'>, location: string): KeptBody => ({
  ...{ id, version, viewTag, form, location, body: json },
});

/** The text that is stored for an answer: it takes the body and about 200 bytes. */
export const textOfKept = (fingerprint: string, created: Created): string =>
  JSON.stringify({ fingerprint, ...bodyOf(created, created.location) } satisfies KeptAnswer);

/** Undefined for what earlier releases of the server stored: a row by position, which fits the contract of then alone. */
export function readKept(text: string): KeptAnswer | undefined {
  const kept = JSON.parse(text) as Partial<KeptAnswer>;
  return typeof kept.body === 'string' ? (kept as KeptAnswer) : undefined;
}

/** A kept answer. It is what it was, whatever the contract says now; nothing is read anew. */
export class KeptEntity implements Created {
  readonly id: Id;
  readonly version: number;
  readonly viewTag: string | undefined;
  readonly form: string;
  readonly location: string;
  readonly json: string;
  readonly isReplayed = true;
  readonly #resource: Resource;

  constructor(resource: Resource, { id, version, viewTag, form, location, body }: KeptBody) {
    this.#resource = resource;
    this.id = id;
    this.version = version;
    this.viewTag = viewTag;
    this.form = form ?? formOfText(body);
    this.location = location;
    this.json = body;
  }

  get value(): Values {
    return parseStored(this.json) as Values;
  }

  /** Absent properties are undefined, which GraphQL answers as null. */
  get view(): Values {
    return this.value;
  }

  get misfits(): ReadonlySet<string> {
    const errors = this.#resource.validateAnswer(this.value) ?? [];
    return new Set(errors.flatMap((error) => ('pointer' in error ? pointerTokens(error.pointer).slice(0, 1) : [])));
  }
}

/** The success of an item of a batch, as it is stored. */
export type KeptResult = Pick<BatchResult, 'status' | 'id'> & { readonly entity?: KeptBody };

export const keptResult = ({ status, id, entity }: BatchResult): KeptResult => ({
  status,
  id,
  ...(entity && { entity: bodyOf(entity, '') }),
});

export const resultOf = (resource: Resource, { status, id, entity }: KeptResult): BatchResult => ({
  status,
  id,
  ...(entity && { entity: new KeptEntity(resource, entity) }),
});
