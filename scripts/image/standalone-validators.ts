import { randomBytes } from 'node:crypto';
import standalone from 'ajv/dist/standalone/index.js';
import type { OpenApiDocument, Schema } from '../../src/descriptor/document.ts';
import { secretKeys } from '../../src/runtime/auth/keys.ts';
import type { GeneratedContract } from '../../src/runtime/generated-contract.ts';
import { createSchemaRegistry } from '../../src/runtime/schema/create-schema-registry.ts';
import { Dialect, type DialectName, textOf } from '../../src/runtime/schema/dialect.ts';
import type { SchemaRegistry } from '../../src/runtime/schema/schema-registry.ts';
import type { ServedHandlers } from '../../src/runtime/served-handlers.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import { serveOn, sqliteScratch } from '../../src/tools/scratch/scratch-store.ts';

/** Schemas that a server validates by: by dialect, then by their texts. */
export type ServedSchemas = ReadonlyMap<DialectName, ReadonlyMap<string, Schema>>;

/** What the server of a contract asks for when it starts, which is what it serves by. */
export async function servedSchemas(contract: GeneratedContract, handlers: ServedHandlers): Promise<ServedSchemas> {
  const served = new Map<DialectName, Map<string, Schema>>();
  const schemas = noting(contract.document, served);
  const scratch = await sqliteScratch('image', contract.resources);
  const authentication = { keys: secretKeys(randomBytes(32).toString('hex')) };
  const options = { contract, handlers: handlers as AnyHandlers, schemas, store: scratch.store, authentication };
  const server = await serveOn(scratch, options);
  await server.close();
  return served;
}

/** A registry that notes what it is asked for. */
function noting(document: OpenApiDocument, served: Map<DialectName, Map<string, Schema>>): SchemaRegistry {
  const registry = createSchemaRegistry(document);
  const note = (schema: Schema, ...names: readonly DialectName[]): void => {
    for (const name of names) served.set(name, (served.get(name) ?? new Map()).set(textOf(schema), schema));
  };
  return {
    ...registry,
    input(schema, options) {
      if (options?.defaults) note(schema, 'filling first', 'filling every');
      else note(schema, 'input first', 'input every');
      return registry.input(schema, options);
    },
    output(schema) {
      note(schema, 'output first', 'output every');
      return registry.output(schema);
    },
  };
}

/** What the code of validators refers to, besides itself; `parts.ts` exports it. */
const PARTS = ['findRepeated', 'formats', 'lenientPattern', 'ucs2length', 'equal'];
const REQUIRED = /const (\w+) = require\("ajv\/dist\/runtime\/(\w+)"\)\.default;/g;

/** The text of a module that exports validators of schemas by name: `v0`, `v1`. `parts`: where it imports its parts from. */
export function validatorsModule(
  document: OpenApiDocument,
  name: DialectName,
  schemas: readonly Schema[],
  parts: string,
): string {
  const dialect = new Dialect(document, name, { source: true, esm: true });
  const ids = schemas.map((schema, index) => {
    const id = `v${index}`;
    dialect.ajv.addSchema(dialect.translated(schema), id);
    return id;
  });
  const text = standalone.default(dialect.ajv, Object.fromEntries(ids.map((id) => [id, id])));
  const linked = text.replace('"use strict";', '').replaceAll(REQUIRED, 'const $1 = $2;');
  if (linked.includes('require(')) throw new Error(`Validators (${name}) need more than ${PARTS.join(', ')}.`);
  return `import { ${PARTS.join(', ')} } from ${JSON.stringify(parts)};\n${linked}`;
}
