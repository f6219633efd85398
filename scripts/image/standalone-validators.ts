import { randomBytes } from 'node:crypto';
import standalone from 'ajv/dist/standalone/index.js';
import type { OpenApiDocument, Schema } from '../../src/descriptor/document.ts';
import type { OldVersion } from '../../src/descriptor/version.ts';
import { secretKeys } from '../../src/runtime/auth/index.ts';
import type { GeneratedContract } from '../../src/runtime/generated-contract.ts';
import { createBodyReader } from '../../src/runtime/rest/index.ts';
import { createParametersReader } from '../../src/runtime/rest/parameters/index.ts';
import {
  createSchemaRegistry,
  Dialect,
  type DialectName,
  type SchemaRegistry,
  textOf,
} from '../../src/runtime/schema/index.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import { serveOn, sqliteScratch } from '../../src/tools/scratch-store.ts';

/** Schemas that a server validates by: by dialect, then by their texts. */
type ServedSchemas = ReadonlyMap<DialectName, ReadonlyMap<string, Schema>>;

/** A document that is served, and what by. */
export interface ServedDocument {
  readonly document: OpenApiDocument;
  readonly schemas: ServedSchemas;
}

/** What the server of a contract asks for when it starts, and its old versions when they are first used. */
export async function servedDocuments(
  contract: GeneratedContract,
  handlers: AnyHandlers | undefined,
): Promise<readonly ServedDocument[]> {
  const current = noting(contract.document);
  const scratch = await sqliteScratch('image', contract.resources);
  const authentication = { keys: secretKeys(randomBytes(32).toString('hex')) };
  const server = await serveOn(scratch, {
    contract,
    handlers,
    schemas: current.registry,
    store: scratch.store,
    authentication,
  });
  await server.close();
  return [current, ...Object.values(contract.versions ?? {}).map(notedOf)];
}

function notedOf({ document, rest }: OldVersion): ServedDocument {
  const noted = noting(document);
  for (const { parameters, requestBody } of rest.operations) {
    createParametersReader(parameters, noted.registry);
    createBodyReader(requestBody, noted.registry);
  }
  return noted;
}

/** A registry that notes what it is asked for. */
function noting(document: OpenApiDocument): ServedDocument & { readonly registry: SchemaRegistry } {
  const registry = createSchemaRegistry(document);
  const schemas = new Map<DialectName, Map<string, Schema>>();
  const note = (schema: Schema, ...names: readonly DialectName[]): void => {
    for (const name of names) schemas.set(name, (schemas.get(name) ?? new Map()).set(textOf(schema), schema));
  };
  return {
    document,
    schemas,
    registry: {
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
    },
  };
}

/** What the code of validators refers to, besides itself; `parts.ts` exports it. */
const PARTS = ['findRepeated', 'formats', 'lenientPattern', 'ucs2length', 'equal'];
const REQUIRED = /const (\w+) = require\("ajv\/dist\/runtime\/(\w+)"\)\.default;/g;

/** The text of a module that exports `validators` of schemas by their texts. `parts`: where it imports its parts from. */
export function validatorsModule(
  document: OpenApiDocument,
  name: DialectName,
  schemas: ReadonlyMap<string, Schema>,
  parts: string,
): string {
  const dialect = new Dialect(document, name, { source: true, esm: true });
  const ids = [...schemas.values()].map((schema, index) => {
    const id = `v${index}`;
    dialect.ajv.addSchema(dialect.translated(schema), id);
    return id;
  });
  const text = standalone.default(dialect.ajv, Object.fromEntries(ids.map((id) => [id, id])));
  const linked = text.replace('"use strict";', '').replaceAll(REQUIRED, 'const $1 = $2;');
  if (linked.includes('require(')) throw new Error(`Validators (${name}) need more than ${PARTS.join(', ')}.`);
  const byText = [...schemas.keys()].map((of, index) => `${JSON.stringify(of)}: v${index},`);
  return `import { ${PARTS.join(', ')} } from ${JSON.stringify(parts)};
${linked}
export const validators = {\n${byText.join('\n')}\n};
`;
}
