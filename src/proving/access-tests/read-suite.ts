import { Ajv2020 } from 'ajv/dist/2020.js';
import { ACCESS_SCHEMA } from '../../compiler/emit/index.ts';
import { type Finding, suggestion } from '../../compiler/findings/index.ts';
import { parseFile, SourceMap } from '../../compiler/read/index.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { isUuid } from '../../descriptor/formats/formats.ts';
import { parentOf } from '../../descriptor/levels.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { ACCESS_FILE } from '../../tools/access-file.ts';
import { CommandFailure } from '../../tools/command-failure.ts';
import { findAction } from '../../tools/find-action.ts';
import { shapeFault } from '../../tools/shape-fault.ts';
import type { CallerClaims } from '../testing/serve.ts';
import type { AccessSuite, AccessTest, Expected, NamedRow, Values } from './suite.ts';

interface Written {
  readonly callers: Readonly<Record<string, CallerClaims>>;
  readonly rows: Readonly<Record<string, Readonly<Record<string, Values>>>>;
  readonly tests: readonly WrittenTest[];
}

interface WrittenTest {
  readonly who: string | readonly string[];
  readonly action: string;
  readonly row?: string;
  readonly under?: string;
  readonly values?: Values;
  readonly expect:
    | Expected['outcome']
    | { listed?: readonly string[]; hidden?: readonly string[]; null?: readonly string[] };
}

/** Reads `access.yaml`: the suite, or the findings that say what is wrong with it. */
export function readSuite(
  text: string,
  contract: CompiledContract,
): { readonly suite: AccessSuite | undefined; readonly findings: readonly Finding[] } {
  const map = new SourceMap({ file: ACCESS_FILE, line: 1, column: 1, pointer: '' });
  const { value, findings } = parseFile(text, ACCESS_FILE, map);
  if (findings.length > 0) return { suite: undefined, findings };
  const fault = shapeFault(validate, value, ACCESS_FILE, map);
  if (fault)
    return { suite: undefined, findings: [{ rule: 'access-test-shape', severity: 'error', hint: SHAPE, ...fault }] };
  const reader = new SuiteReader(value as Written, contract, map);
  const suite = reader.read();
  return { suite: reader.findings.length > 0 ? undefined : suite, findings: reader.findings };
}

const SHAPE =
  'The file has `callers`, `rows` and `tests`; its JSON Schema is `editor/access.json` of the generated files.';
const validate = new Ajv2020({ allErrors: true, strict: false }).compile(ACCESS_SCHEMA);

class SuiteReader {
  readonly findings: Finding[] = [];
  readonly #written: Written;
  readonly #contract: CompiledContract;
  readonly #map: SourceMap;

  constructor(written: Written, contract: CompiledContract, map: SourceMap) {
    this.#written = written;
    this.#contract = contract;
    this.#map = map;
  }

  read(): AccessSuite {
    const { callers, tests } = this.#written;
    return {
      callers: new Map([['anonymous', undefined], ...Object.entries(callers)]),
      rows: this.#rows(),
      tests: tests.flatMap((test) => this.#test(test) ?? []),
    };
  }

  #rows(): readonly NamedRow[] {
    const { rows } = this.#written;
    const { resources } = this.#contract;
    return Object.entries(rows).flatMap(([key, named]) => {
      const resource = resources.find((one) => one.key === key);
      if (!resource)
        return this.#unknown(
          'resource',
          key,
          resources.map((one) => one.key),
          rows,
          key,
        );
      return Object.entries(named).map(([name, values]) => {
        this.#checkValues(resource, values);
        return { name, resource, values, location: this.#map.locate(named, name) };
      });
    });
  }

  #test(test: WrittenTest): AccessTest | undefined {
    const { action: name, row, under, values = {}, expect } = test;
    const asked = this.#asked(test, name);
    const who = typeof test.who === 'string' ? [test.who] : test.who;
    const known = ['anonymous', ...Object.keys(this.#written.callers)];
    for (const one of who) if (!known.includes(one)) this.#unknown('caller', one, known, test, 'who');
    if (!asked) return undefined;
    const { resource, action } = asked;
    if (action !== 'list' && action !== 'create') this.#checkRow(test, 'row', resource, row);
    const parent = parentOf(this.#contract.resources, resource);
    if (parent && (action === 'list' || action === 'create')) this.#checkRow(test, 'under', parent, under);
    this.#checkValues(resource, values);
    const expected = this.#expected(resource, expect);
    return { who, resource, action, row, under, values, expected, location: this.#map.locate(test) };
  }

  #asked(test: WrittenTest, name: string) {
    try {
      const { operation, resource, action } = findAction(this.#contract, name);
      const isLink = resource && action && resource.actions[action]?.operationId !== operation.operationId;
      if (resource && action && !isLink) return { resource, action };
      const [message, hint] = isLink
        ? [`is a link, which goes by the rules of \`${resource.key}.${action}\`.`, 'Test that action.']
        : ['is a custom operation, which decides for itself.', 'Test it where its code is tested.'];
      this.#fault(`\`${name}\` ${message}`, hint, test, 'action');
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      const [message, hint] = error.message.split(/(?<=\.) (?=[A-Z])/);
      this.#fault(message!, hint ?? '', test, 'action');
    }
    return undefined;
  }

  #checkRow(node: object, key: string, { key: resource }: ResourceDescriptor, name: string | undefined): void {
    const known = Object.keys(this.#written.rows[resource] ?? {});
    if (name === undefined) this.#fault(`A row of \`${resource}\` is missing.`, `Name it as \`${key}\`.`, node, key);
    else if (!known.includes(name)) this.#unknown(`row of ${resource}`, name, known, node, key);
  }

  #expected(resource: ResourceDescriptor, expect: WrittenTest['expect']): Expected {
    if (typeof expect === 'string') return { outcome: expect, listed: [], hidden: [], empty: [] };
    const { listed = [], hidden = [], null: empty = [] } = expect;
    for (const name of [...listed, ...hidden])
      this.#checkRow(expect, listed.includes(name) ? 'listed' : 'hidden', resource, name);
    const properties = resource.properties.map(({ name }) => name);
    for (const name of empty)
      if (!properties.includes(name)) this.#unknown('property', name, properties, expect, 'null');
    return { outcome: 'allowed', listed, hidden, empty };
  }

  /** Properties, the rows that references name, and the callers whose `sub` is a value. */
  #checkValues(resource: ResourceDescriptor, values: Values): void {
    const names = resource.properties.map(({ name }) => name);
    for (const [name, value] of Object.entries(values)) {
      const property = resource.properties.find((one) => one.name === name);
      if (!property) this.#unknown(`property of ${resource.name}`, name, names, values, name);
      else if (typeof value === 'string') this.#checkText(targetOf(resource, name), value, values, name);
    }
  }

  #checkText(target: string | undefined, value: string, node: object, key: string): void {
    const callers = Object.keys(this.#written.callers);
    const [, caller] = CALLER.exec(value) ?? [];
    if (caller !== undefined) {
      if (!callers.includes(caller)) this.#unknown('caller', caller, callers, node, key);
      return;
    }
    const known = Object.keys((target !== undefined && this.#written.rows[target]) || {});
    if (target !== undefined && !known.includes(value) && !isUuid(value))
      this.#unknown(`row of ${target}`, value, known, node, key);
  }

  #unknown(what: string, name: string, known: readonly string[], node: object, key: string): [] {
    this.#fault(`There is no ${what} \`${name}\`.`, suggestion(name, known), node, key, 'access-test-name');
    return [];
  }

  #fault(message: string, hint: string, node: object, key: string, rule = 'access-test-name'): void {
    this.findings.push({ rule, severity: 'error', message, hint, location: this.#map.locate(node, key) });
  }
}

/** `$ada`: the `sub` of a caller. What begins with two of them is a text. */
export const CALLER = /^\$(?!\$)(.+)$/;

/** The key of the resource that a property refers to, its parent's included. */
export function targetOf({ parent, properties }: ResourceDescriptor, name: string): string | undefined {
  if (parent?.property === name) return parent.resource;
  return properties.find((property) => property.name === name)?.references?.resource;
}
