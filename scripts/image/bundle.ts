import { existsSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { basePathOf } from '../../src/descriptor/base-path.ts';
import type { DialectName } from '../../src/runtime/schema/index.ts';
import { inAscii } from './ascii.ts';
import { type Begin, filesOfStarts } from './files-of-starts.ts';
import { type ServedDocument, validatorsModule } from './standalone-validators.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** A module of Lockstep: TypeScript in a clone, JavaScript in the package. */
const at = (path: string): string => join(ROOT, path) + extname(import.meta.url);
const all = (...paths: readonly string[]): Begin => ({ modules: paths.map(at), all: true });

/** What has a file of its own beside the server: its migration, and the thread of slow reads. */
const ENTRIES = { migrate: at('src/migrate'), 'slow-reader': at('src/runtime/storage/sqlite/slow-reader') };
/** What starts import; a primary of workers does not import the server. */
const BEGINS = {
  start: all('src/index', 'src/runtime/boot-fault', 'src/runtime/start-generated'),
  boot: { modules: [at('src/runtime/boot')], all: false },
  workers: all('src/runtime/start-workers'),
  migrate: all('src/migrate'),
  'slow-reader': all('src/runtime/storage/sqlite/slow-reader'),
};
const MAIN = '\0main';
/** `import` reads all exports of a module of Node, and one of `node:http` loads undici. */
const HTTP = '\0http';
/** The routes of Mercurius, which serves none here, load packages for static files. */
const NO_ROUTES = '\0routes';
const MERCURIUS = '/mercurius/index.js';
/** What asks for the clock of a time zone, and how. */
const CRONER = /\/croner\/dist\/croner\.js$/;
const CLOCK = 'new Intl.DateTimeFormat(';
/** Modules that the contract compiles to, as far as it has them. */
const MODULES = ['resources.ts', 'errors.ts', 'routes.ts', 'graphql.ts', 'resolvers.ts'];
/** Not installed: `pg` and `ws` do without. */
const OPTIONAL = ['pg-native', 'bufferutil', 'utf-8-validate'];

export interface BundleInput {
  /** Folder of what is generated. */
  readonly generated: string;
  readonly documents: readonly ServedDocument[];
  /** The module that starts the server; undefined: one that starts it with `handlers`. */
  readonly main: string | undefined;
  readonly handlers: string | undefined;
}

/** Writes the server as few files, with source maps, into a folder. Returns their number. */
export async function bundle(input: BundleInput, folder: string): Promise<number> {
  const build = await rolldown({
    input: { main: input.main ?? MAIN, ...ENTRIES, ...oldValidators(input.documents) },
    platform: 'node',
    external: OPTIONAL,
    plugins: [inImage(input), inAscii],
    // Packages that test for others, or evaluate text on purpose, are as they are.
    onLog: () => undefined,
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    // Stack traces of errors, and what looks at the names of classes, see the names of the sources.
    keepNames: true,
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: {
      groups: [{ name: filesOfStarts(BEGINS, ['start', 'boot']), includeDependenciesRecursively: false }],
    },
  });
  await build.close();
  return output.length;
}

/** The files of old versions, by the names that they get. */
function oldValidators(documents: readonly ServedDocument[]): Readonly<Record<string, string>> {
  const entries = documents.flatMap(({ schemas }, index) =>
    isOld(index) ? [...schemas.keys()].map((name) => [fileOf(index, name), moduleOf(index, name)]) : [],
  );
  return Object.fromEntries(entries);
}

/** Modules in the place of others, which would look for files or compile at the start. */
function inImage({ generated, documents, handlers }: BundleInput): Plugin {
  const parts = at('scripts/image/parts');
  const validators = documents.flatMap(({ document, schemas }, index) =>
    [...schemas].map(([name, served]): [string, () => string] => [
      moduleOf(index, name),
      () => validatorsModule(document, name, served, parts),
    ]),
  );
  const texts: Readonly<Record<string, () => string>> = {
    [MAIN]: () => mainOf(handlers),
    [HTTP]: () => "module.exports = process.getBuiltinModule('node:http');",
    [NO_ROUTES]: () => "module.exports = () => { throw new Error('An image has no routes of Mercurius.'); };",
    [at('src/runtime/generated-module')]: () => generatedModules(generated),
    // The bundle has others in their place already.
    [at('src/runtime/graphql/without-routes')]: () => '',
    [at('src/runtime/schema/compiled-validators')]: () => validatorsIndex(documents),
    ...Object.fromEntries(validators),
  };
  return {
    name: 'in-image',
    resolveId(source, importer) {
      if (source === '@seriousme/openapi-schema-validator') return at('src/runtime/rest/glue-validator');
      if (source === './lib/routes' && importer?.endsWith(MERCURIUS)) return NO_ROUTES;
      if (/^(node:)?http$/.test(source)) return HTTP;
      return source in texts ? source : null;
    },
    load: (id) => {
      const text = texts[id];
      return text ? { code: text(), moduleType: 'js' } : null;
    },
    transform: (code, id) => (CRONER.test(id) ? withZoneClock(code) : null),
  };
}

/** The entry of production, of a project that has none of its own. */
function mainOf(handlers: string | undefined): string {
  const importing = (name: string, path: string): string => `import { ${name} } from ${JSON.stringify(path)};`;
  return `${importing('explainBootFault', at('src/runtime/boot-fault'))}
${importing('start', at('src/index'))}
${handlers === undefined ? 'const handlers = undefined;' : importing('handlers', handlers)}
try {
  await start({ generated: new URL('../generated/', import.meta.url), handlers });
} catch (error) {
  console.error(explainBootFault(error) ?? error);
  process.exit(1);
}
`;
}

/** All modules of the generated folder, which each process imports. */
function generatedModules(folder: string): string {
  const found = MODULES.filter((name) => existsSync(join(folder, name)));
  const imports = found.map((name, index) => `import * as m${index} from ${JSON.stringify(resolve(folder, name))};`);
  const members = found.map((name, index) => `${JSON.stringify(name)}: m${index},`);
  return `${imports.join('\n')}
const modules = {\n${members.join('\n')}\n};
export const generatedModule = async (_, name) => modules[name];
`;
}

function withZoneClock(croner: string): string {
  if (!croner.includes(CLOCK)) throw new Error('croner asks for the clock of a time zone in another way.');
  return `import { ZoneClock } from ${JSON.stringify(at('scripts/image/zone-clock'))};\n${croner.replace(CLOCK, 'new ZoneClock(')}`;
}

const moduleOf = (document: number, name: DialectName): string => `\0validators ${document} ${name}`;
/** The file of those of an old version, which is loaded when they are first used. */
const fileOf = (document: number, name: DialectName): string => `validators-${document}-${name.replace(' ', '-')}`;
const isOld = (document: number): boolean => document > 0;

/** Validators by the base path of their document and their dialect. Those of old versions are loaded when they are first used. */
function validatorsIndex(documents: readonly ServedDocument[]): string {
  const imports: string[] = ["import { createRequire } from 'node:module';"];
  const members = documents.map(({ document, schemas }, index) => {
    const dialects = [...schemas.keys()].map((name) => {
      const key = JSON.stringify(name);
      if (isOld(index)) return `get ${key}() { return load("./${fileOf(index, name)}.js").validators; },`;
      const local = `d${imports.length}`;
      imports.push(`import { validators as ${local} } from ${JSON.stringify(moduleOf(index, name))};`);
      return `${key}: ${local},`;
    });
    return `${JSON.stringify(basePathOf(document))}: {\n${dialects.join('\n')}\n},`;
  });
  return `${imports.join('\n')}
const load = createRequire(import.meta.url);
export const compiledValidators = {
${members.join('\n')}
};
`;
}
