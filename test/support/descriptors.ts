import type { PropertyDescriptor, ResourceDescriptor } from '../../src/descriptor/resource.ts';

/** A property with the usual facts filled in. */
export function property(name: string, facts: Partial<PropertyDescriptor> = {}): PropertyDescriptor {
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { name, column, type: 'string', nullable: false, required: true, origin: 'input', ...facts };
}

const managed: readonly PropertyDescriptor[] = [
  property('id', { type: 'uuid', origin: 'managed' }),
  property('version', { type: 'integer', origin: 'managed' }),
  property('createdAt', { type: 'date-time', origin: 'managed' }),
  property('updatedAt', { type: 'date-time', origin: 'managed' }),
];

/** A top-level resource of `managed` and the given properties, with no action. */
export function resource(key: string, name: string, properties: readonly PropertyDescriptor[]): ResourceDescriptor {
  return {
    key,
    name,
    table: key,
    path: `/${key}`,
    idParameter: `${key.slice(0, -1)}Id`,
    properties: [...managed, ...properties],
    actions: {},
    unique: [],
    schemas: { resource: name, input: `${name}Input`, patch: `${name}Patch` },
  };
}
