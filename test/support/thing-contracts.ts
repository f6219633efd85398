import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import type { OpenApiDocument, Schema } from '../../src/descriptor/document.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../src/descriptor/resource.ts';
import { property, resource } from './descriptors.ts';

type Part = Pick<CompiledContract, 'document' | 'resources'>;

export interface ThingFacts {
  readonly version?: string;
  readonly unique?: ResourceDescriptor['unique'];
  /** Further facts of properties, by name. */
  readonly facts?: Readonly<Record<string, Partial<PropertyDescriptor>>>;
  readonly required?: readonly string[];
  /** Keywords of the row's schema beside its properties. */
  readonly rules?: object;
}

const MANAGED = {
  id: { type: 'string', format: 'uuid' },
  version: { type: 'integer' },
  createdAt: { type: 'string', format: 'date-time' },
  updatedAt: { type: 'string', format: 'date-time' },
};

/** What storage sees of a contract with one resource, `things`, by the schemas of its own properties. */
export function thingContract(
  schemas: Readonly<Record<string, Schema>>,
  { version = '1.0.0', unique = [], facts = {}, required = Object.keys(schemas), rules = {} }: ThingFacts = {},
): Part {
  const properties = Object.keys(schemas).map((name) =>
    property(name, { required: required.includes(name), ...facts[name] }),
  );
  const thing = {
    type: 'object',
    properties: { ...MANAGED, ...schemas },
    required: [...Object.keys(MANAGED), ...required],
    ...rules,
  };
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: { title: 'Things', version },
    paths: {},
    components: { schemas: { Thing: thing } },
  };
  return { document, resources: [{ ...resource('things', 'Thing', properties), unique }] };
}

/** Inserts a thing past the store; values by column, as SQL. Its id ends with the number. */
export function insertThing(number: number, values: Readonly<Record<string, string>>): string {
  const columns = ['id', 'version', 'created_at', 'updated_at', ...Object.keys(values)];
  const id = idOfThing(number);
  const time = "'2026-01-01T00:00:00.000Z'";
  return `insert into things (${columns.join(', ')}) values ('${id}', 1, ${time}, ${time}, ${Object.values(values).join(', ')})`;
}

export const idOfThing = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
