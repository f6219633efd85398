import { exampleOf, type ValueSchema } from '../../compiler/json-schema/index.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import {
  type Id,
  listOf,
  namingProperty,
  type ResourceDescriptor,
  resourceWithKey,
} from '../../descriptor/resource.ts';
import { ANONYMOUS, type Caller, signedCaller } from '../harness/callers.ts';
import type { Step } from '../harness/step.ts';
import type { CallerClaims } from '../testing/serve.ts';
import type { MadeRows } from './make-rows.ts';
import type { AccessSuite, AccessTest, Values } from './suite.ts';

/** The requests of tests, independent of the protocol. */
export class TestSteps {
  readonly #contract: CompiledContract;
  readonly #rows: MadeRows;
  readonly #callers: ReadonlyMap<string, Caller>;

  constructor(contract: CompiledContract, suite: AccessSuite, rows: MadeRows) {
    this.#contract = contract;
    this.#rows = rows;
    this.#callers = new Map([...suite.callers].map(([name, claims]) => [name, callerFor(name, claims)]));
  }

  /** The step of a test for one of its callers, by name. */
  step(test: AccessTest, who: string): Step {
    const { resource, action } = test;
    return {
      resource,
      action,
      caller: lookUp(this.#callers, who),
      label: 'access',
      isFaulty: false,
      params: this.#paramsOf(test),
      ...(action === 'list' && { query: { limit: listOf(resource).maximumLimit } }),
      ...(INPUTS.has(action) && { input: this.#inputOf(test) }),
    };
  }

  #paramsOf({ resource, row, under }: AccessTest): Readonly<Record<string, string>> {
    if (row !== undefined) {
      const values = this.#rows.row(resource.key, row);
      return { ...this.#above(resource, values), [resource.idParameter]: text(values[namingProperty(resource)]) };
    }
    if (under === undefined || !resource.parent) return {};
    const { id } = this.#rows.row(resource.parent.resource, under);
    return this.#above(resource, { [resource.parent.property]: id });
  }

  /** The parameters that name the ancestors of a row. */
  #above({ parent }: ResourceDescriptor, values: Values): Readonly<Record<string, string>> {
    if (!parent) return {};
    const above = resourceWithKey(this.#contract.resources, parent.resource);
    const row = this.#rows.withId(parent.resource, values[parent.property] as Id);
    return { ...this.#above(above, row), [parent.parameter]: text(row[namingProperty(above)]) };
  }

  #inputOf({ resource, action, row, values }: AccessTest): Values {
    const given = this.#rows.resolved(resource, values);
    switch (action) {
      case 'create':
        return { ...this.#example(resource), ...given };
      case 'replace':
        return { ...inputsOf(resource, this.#rows.row(resource.key, row!)), ...given };
      default:
        return given;
    }
  }

  /** What a creation demands: simple values, and the first row of each resource that it must refer to. */
  #example({ schemas, properties }: ResourceDescriptor): Values {
    const { document } = this.#contract;
    const schema = { $ref: `#/components/schemas/${schemas.input}` } as ValueSchema;
    const example = { ...(exampleOf(document, schema) as Record<string, unknown>) };
    for (const { name, references } of properties)
      if (references && example[name] != null) example[name] = this.#rows.first(references.resource)?.['id'];
    return example;
  }
}

const INPUTS: ReadonlySet<string> = new Set(['create', 'replace', 'update']);

const text = (value: unknown): string => String(value);

const inputsOf = ({ properties }: ResourceDescriptor, row: Values): Values =>
  Object.fromEntries(
    properties
      .filter(({ name, origin }) => origin === 'input' && name !== 'id' && row[name] !== undefined)
      .map(({ name }) => [name, row[name]]),
  );

function callerFor(name: string, claims: CallerClaims | undefined): Caller {
  if (!claims) return { ...ANONYMOUS, name };
  const { sub: subject, scope = '', ...others } = claims;
  const scopes = scope.split(' ').filter((one) => one !== '');
  return signedCaller(name, { subject, scopes, claims: others });
}
