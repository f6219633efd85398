export { createSchemaRegistry } from './create-schema-registry.ts';
export { Dialect, type DialectName, textOf } from './dialect.ts';
export type { SchemaRegistry } from './schema-registry.ts';
