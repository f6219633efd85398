import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import type { OpenApiDocument } from '../../src/descriptor/document.ts';
import type { DialectName } from '../../src/runtime/schema/dialect.ts';
import { type ServedSchemas, validatorsModule } from './standalone-validators.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const at = (path: string): string => join(ROOT, path);

/** What has a file of its own: the server, its migration, and the thread of slow reads. */
const ENTRIES = {
  main: at('src/main.ts'),
  migrate: at('src/migrate.ts'),
  'slow-reader': at('src/runtime/storage/sqlite/slow-reader.ts'),
};
/** Modules that the contract compiles to, as far as it has them. */
const MODULES = ['resources.ts', 'errors.ts', 'routes.ts', 'graphql.ts', 'resolvers.ts'];
/** Not installed: `pg` and `ws` do without. */
const OPTIONAL = ['pg-native', 'bufferutil', 'utf-8-validate'];

export interface Bundle {
  readonly document: OpenApiDocument;
  readonly generated: string;
  readonly schemas: ServedSchemas;
}

/** Writes the server as few files, with source maps, into a folder. Returns their number. */
export async function bundle(contract: Bundle, folder: string): Promise<number> {
  const build = await rolldown({
    input: ENTRIES,
    platform: 'node',
    external: OPTIONAL,
    plugins: [inImage(contract)],
    // Packages that test for others, or evaluate text on purpose, are as they are.
    onLog: () => undefined,
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  return output.length;
}

/** Modules in the place of others, which would look for files or compile at the start. */
function inImage({ document, generated, schemas }: Bundle): Plugin {
  const names = [...schemas.keys()];
  const virtual = (name: DialectName): string => `\0validators ${name}`;
  const texts: Readonly<Record<string, () => string>> = {
    [at('src/runtime/generated-module.ts')]: () => generatedModules(generated),
    [at('src/runtime/schema/compiled-validators.ts')]: () => validatorsIndex(schemas, virtual),
    ...Object.fromEntries(
      names.map((name) => [
        virtual(name),
        () => validatorsModule(document, name, [...schemas.get(name)!.values()], at('scripts/image/parts.ts')),
      ]),
    ),
  };
  return {
    name: 'in-image',
    resolveId(source) {
      if (source === '@seriousme/openapi-schema-validator') return at('src/runtime/rest/glue-validator.ts');
      return source in texts ? source : null;
    },
    load: (id) => {
      const text = texts[id];
      return text ? { code: text(), moduleType: 'js' } : null;
    },
  };
}

/** All modules of the generated folder, each loaded when it is schemas for. */
function generatedModules(folder: string): string {
  const found = MODULES.filter((name) => existsSync(join(folder, name)));
  const lines = found.map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(resolve(folder, name))}),`);
  return `const modules = {\n${lines.join('\n')}\n};\nexport const generatedModule = (_, name) => modules[name]();\n`;
}

function validatorsIndex(schemas: ServedSchemas, virtual: (name: DialectName) => string): string {
  const names = [...schemas.keys()];
  const imports = names.map((name, index) => `import * as d${index} from ${JSON.stringify(virtual(name))};`);
  const members = names.map((name, index) => {
    const texts = [...schemas.get(name)!.keys()].map((text, place) => `${JSON.stringify(text)}: d${index}.v${place},`);
    return `${JSON.stringify(name)}: {\n${texts.join('\n')}\n},`;
  });
  return `${imports.join('\n')}\nexport const compiledValidators = {\n${members.join('\n')}\n};\n`;
}
