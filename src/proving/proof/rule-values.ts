import { flat, type ValueSchema } from '../../compiler/json-schema/index.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { Schema } from '../../descriptor/document.ts';
import {
  holdsId,
  type PropertyDescriptor,
  type ResourceDescriptor,
  resourceWithKey,
} from '../../descriptor/resource.ts';
import { type Compared, comparedIn } from '../../descriptor/row-access.ts';
import type { Claims } from '../../runtime/auth/index.ts';
import { Random } from '../../tools/random.ts';
import { randomSampler } from '../../tools/synthetic/index.ts';
import { claimAt, claimsFor } from '../../tools/token/index.ts';
import type { Rows, StoredRecord } from '../harness/rows.ts';
import { SUBJECTS } from './callers.ts';

/** Values that make the rules of a contract hold for some callers and rows, and not for others. */
export class RuleValues {
  readonly #contract: CompiledContract;
  readonly #compared: readonly Compared[];
  readonly #accepts: (schema: Schema, value: unknown) => boolean;
  readonly #preferred = new Map<string, readonly unknown[]>();
  #rows: Rows | undefined;

  /** `accepts`: whether a value is as a schema demands. */
  constructor(contract: CompiledContract, accepts: (schema: Schema, value: unknown) => boolean) {
    this.#contract = contract;
    this.#compared = comparedIn(contract.resources);
    this.#accepts = accepts;
  }

  /** Whether claims hold ids, which rows have only once they are there. */
  get hasIds(): boolean {
    return this.#compared.some((one) => 'claim' in one.value && holdsId(this.#property(one)));
  }

  /** From now on, claims that are compared with ids hold those of these rows. */
  useIdsOf(rows: Rows): void {
    this.#rows = rows;
  }

  /** The claims of a subject beside `sub`, the same each time. */
  readonly claimsOf = (subject: string): Claims => {
    const turn = Math.max(SUBJECTS.indexOf(subject), 0);
    return claimsFor(this.#contract, (compared) => this.#valueFor(compared, turn));
  };

  /** The values that rules compare a property with, as far as its schema allows them. */
  readonly preferred = (resource: string, property: string): readonly unknown[] => {
    const key = `${resource} ${property}`;
    const known = this.#preferred.get(key) ?? this.#valuesOf(resource, property);
    this.#preferred.set(key, known);
    return known;
  };

  #valuesOf(resource: string, property: string): readonly unknown[] {
    const compared = this.#compared.filter((one) => one.resource === resource && one.property === property);
    const schema = this.#schemaOf(resource, property);
    const values = compared.flatMap(({ value }) => ('claim' in value ? this.#claimed(value.claim) : [value.literal]));
    return values.filter((value) => this.#accepts(schema as Schema, value));
  }

  #claimed(path: readonly string[]): readonly unknown[] {
    return SUBJECTS.flatMap((sub) => claimAt({ ...this.claimsOf(sub), sub }, path) as unknown);
  }

  #valueFor(compared: Compared, turn: number): unknown {
    const property = this.#property(compared);
    const rows = holdsId(property) ? this.#rowsFor(compared, property) : [];
    if (rows.length > 0) return idsFor(compared, rows, turn);
    const schema = { ...this.#schemaOf(compared.resource, compared.property), examples: [] };
    return randomSampler(this.#contract.document, new Random(turn + 1)).of(schema);
  }

  #rowsFor({ resource }: Compared, { references }: PropertyDescriptor): readonly StoredRecord[] {
    return this.#rows?.of(this.#resource(references?.resource ?? resource)) ?? [];
  }

  #property({ resource, property }: Pick<Compared, 'resource' | 'property'>): PropertyDescriptor {
    return this.#resource(resource).properties.find(({ name }) => name === property)!;
  }

  #resource(key: string): ResourceDescriptor {
    return resourceWithKey(this.#contract.resources, key);
  }

  #schemaOf(resource: string, property: string): ValueSchema {
    const { document } = this.#contract;
    const name = this.#resource(resource).schemas.resource;
    const { properties = {} } = flat(document, { $ref: `#/components/schemas/${name}` });
    return flat(document, properties[property]);
  }
}

/** Each subject gets its part of the ids, so that two of them have none in common. */
function idsFor({ isOneOf }: Compared, rows: readonly StoredRecord[], turn: number): unknown {
  const own = rows.filter((_, at) => at % SUBJECTS.length === turn).map((row) => row['id']);
  return isOneOf ? own : own[0];
}
