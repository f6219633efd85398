import type { Finding } from '../../compiler/findings/index.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import type { Id } from '../../descriptor/resource.ts';
import { createSchemaRegistry } from '../../runtime/schema/index.ts';
import type { SampleRow } from '../../tools/sample.ts';
import { LifelikeValues, RowMaker } from '../../tools/samples/index.ts';
import { inOrder } from '../../tools/synthetic/index.ts';
import { CALLER, targetOf } from './read-suite.ts';
import type { AccessSuite, NamedRow, Values } from './suite.ts';

const SEED = 1;

/** The rows of a suite, whole; by resource and name. */
export class MadeRows {
  readonly findings: Finding[] = [];
  readonly #suite: AccessSuite;
  readonly #made = new Map<string, Values[]>();
  readonly #named = new Map<string, Values>();

  constructor(suite: AccessSuite, contract: CompiledContract) {
    const { document, resources } = contract;
    this.#suite = suite;
    const schemas = createSchemaRegistry(document);
    const values = new LifelikeValues({ document, schemas, seed: SEED });
    for (const resource of inOrder(resources)) {
      this.#made.set(resource.key, []);
      const maker = new RowMaker(resource, { contract, schemas, values, made: this.#made });
      for (const row of suite.rows.filter((one) => one.resource === resource)) this.#make(row, maker);
    }
  }

  #make(named: NamedRow, maker: RowMaker): void {
    const { resource, name, values, location } = named;
    const row = maker.make(this.resolved(resource, values));
    if (row) {
      lookUp(this.#made, resource.key).push(row);
      this.#named.set(nameOf(resource.key, name), row);
      return;
    }
    this.findings.push({
      rule: 'access-test-row',
      severity: 'error',
      message: `\`${name}\` cannot be made: with these values no ${resource.name} fits its schema and its unique keys.`,
      hint: 'Correct the values, and give those of references whose target has no row.',
      location,
    });
  }

  /** Values with the ids of the rows that references name, and the `sub` of callers. */
  resolved(resource: NamedRow['resource'], values: Values): Values {
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, this.#value(targetOf(resource, name), value)]),
    );
  }

  #value(target: string | undefined, value: unknown): unknown {
    if (typeof value !== 'string') return value;
    const [, caller] = CALLER.exec(value) ?? [];
    if (caller !== undefined) return lookUp(this.#suite.callers, caller).sub;
    const row = target === undefined ? undefined : this.#named.get(nameOf(target, value));
    return row ? row['id'] : value.replace(/^\$\$/, '$');
  }

  row(resource: string, name: string): Values {
    return lookUp(this.#named, nameOf(resource, name));
  }

  /** The row with an id. */
  withId(resource: string, id: Id): Values {
    return lookUp(this.#made, resource).find((row) => row['id'] === id)!;
  }

  first(resource: string): Values | undefined {
    return this.#made.get(resource)?.[0];
  }

  *all(): Iterable<SampleRow> {
    for (const [resource, rows] of this.#made) for (const values of rows) yield { resource, values };
  }
}

const nameOf = (resource: string, name: string): string => `${resource} ${name}`;
