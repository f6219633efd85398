import type { Id } from '../../../descriptor/resource.ts';
import type { Row } from '../../storage/store.ts';
import type { Created, Entity } from '../interface/engine.ts';
import type { Resource } from './resource.ts';
import type { Values } from './row-codec.ts';

/** A row as an entity, which makes its text and its values on demand. */
export class RowEntity implements Entity {
  readonly #resource: Resource;
  readonly row: Row;
  readonly viewTag: string | undefined;

  constructor(resource: Resource, row: Row, viewTag?: string) {
    this.#resource = resource;
    this.row = row;
    this.viewTag = viewTag;
  }

  get id(): Id {
    return this.#resource.valueIn(this.row, 'id') as Id;
  }

  get version(): number {
    return this.#resource.valueIn(this.row, 'version') as number;
  }

  get json(): string {
    return this.#resource.codec.toJson(this.row);
  }

  get view(): Values {
    return new this.#resource.View(this.row);
  }

  get value(): Values {
    return this.#resource.codec.toValues(this.row);
  }
}

/** A row that has just been created, as an entity. */
export class CreatedRow extends RowEntity implements Created {
  readonly location: string;
  readonly isReplayed = false;
  readonly misfits: ReadonlySet<string> = new Set();

  constructor(resource: Resource, { row, viewTag }: RowEntity, location: string) {
    super(resource, row, viewTag);
    this.location = location;
  }
}

export function entityOfRow(resource: Resource, row: Row): RowEntity {
  return new RowEntity(resource, row);
}

/** What an override returned, reduced to the declared properties. */
export function entityOfValues(resource: Resource, values: Values): RowEntity {
  return new RowEntity(resource, resource.codec.toRow(values));
}
