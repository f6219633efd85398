import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ASTNode,
  buildASTSchema,
  type DefinitionNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  Kind,
  parse,
  Source,
  validateSchema,
  visit,
} from 'graphql';
import { validateSDL } from 'graphql/validation/validate.js';
import type { Keep } from '../../descriptor/keep.ts';
import type { Finding, Location } from '../findings/finding.ts';
import { alteredDirectives, builtIn, missingDefinitions } from './directives.ts';
import { isGenerated } from './generated-folder.ts';
import { mergeExtensions } from './merge-extensions.ts';
import { missingRoots } from './missing-roots.ts';
import type { SdlSource } from './sdl-source.ts';

/** The folder of earlier releases, which are contracts of their own. */
export const RELEASED = 'released';
/** The folder of what registered clients send: a folder each, with documents that are not of the schema. */
export const CONSUMERS = 'consumers';

/**
 * Reads the `*.graphql` files of a contract folder, at any depth, as one schema, or undefined. `changed`: texts that count in place of
 * those in the folder, by name; an empty one stands for a file that is not there. Generated files are ignored. Problems with files and schema are findings. A schema that `keep` knows to be
 * valid is not validated again.
 */
export function readSdl(folder: string, changed: ReadonlyMap<string, string>, keep?: Keep): SdlSource | undefined {
  const files = sdlFiles(folder, changed);
  if (files.length === 0) return undefined;
  const findings: Finding[] = [];
  const texts = files.map((file) => changed.get(file) ?? readFileSync(join(folder, file), 'utf8'));
  const definitions = files.flatMap((file, i) => parseFile(texts[i]!, file, findings));
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [...definitions, ...missingDefinitions(definitions)],
  };
  const start: Location = { file: files[0]!, line: 1, column: 1, pointer: '' };
  const locate = (node: ASTNode | null | undefined, coordinate = ''): Location => locationOf(node, coordinate) ?? start;
  findings.push(...alteredDirectives(definitions).map((node) => alteredDirective(locate(node), node.name.value)));
  if (findings.length === 0) findings.push(...missingRoots(definitions));
  const isValid = keep?.read(VALID, texts) !== undefined;
  if (findings.length === 0 && !isValid) findings.push(...faults(validateSDL(document), start));
  const built = build(document, findings, start, isValid);
  if (findings.length === 0 && !isValid) keep?.write(VALID, texts, '');
  return { files, ...built, findings, locate };
}

const VALID = 'valid-sdl';

function build(
  document: DocumentNode,
  findings: Finding[],
  start: Location,
  isValid: boolean,
): Pick<SdlSource, 'document' | 'schema'> {
  if (findings.length > 0) return { document, schema: undefined };
  const merged = mergeExtensions(document);
  const schema = schemaOf(merged, findings, start);
  if (!schema) return { document: merged, schema };
  if (!isValid) findings.push(...faults([...validateSchema(schema), ...directiveFaults(merged, schema)], start));
  return { document: merged, schema: findings.length > 0 ? undefined : schema };
}

/** Undefined where a directive that graphql-js reads itself has an invalid argument. */
function schemaOf(document: DocumentNode, findings: Finding[], start: Location): GraphQLSchema | undefined {
  try {
    return buildASTSchema(document, { assumeValidSDL: true });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    findings.push(...faults([error], start));
    return undefined;
  }
}

const HIDDEN = new RegExp(`^(?:${RELEASED}/|${CONSUMERS}/[^/]+/)`);

/** Sorted, so that the output does not depend on the file system. A missing folder is reported by the OpenAPI side. */
function sdlFiles(folder: string, changed: ReadonlyMap<string, string>): string[] {
  const there = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const entries = new Set([...there.map((name) => name.replaceAll('\\', '/')), ...changed.keys()]);
  const isHidden = (name: string): boolean => HIDDEN.test(name) || /(^|\/)(\.|node_modules\/)/.test(name);
  const isSource = (name: string): boolean => changed.get(name) !== '' && !isHidden(name) && !isGenerated(folder, name);
  return [...entries].filter((name) => name.endsWith('.graphql') && isSource(name)).sort();
}

function parseFile(text: string, file: string, findings: Finding[]): readonly DefinitionNode[] {
  try {
    return parse(new Source(text, file)).definitions;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const [{ line, column } = { line: 1, column: 1 }] = error.locations ?? [];
    const message = error.message.replace(/^Syntax Error: /, '');
    const location = { file, line, column, pointer: '' };
    findings.push({
      rule: 'sdl-syntax',
      severity: 'error',
      message,
      hint: 'See the GraphQL specification, section 3 (spec.graphql.org).',
      location,
    });
    return [];
  }
}

function faults(errors: readonly GraphQLError[], start: Location): Finding[] {
  return errors.map(({ message, nodes }) => ({
    rule: 'sdl-schema',
    severity: 'error',
    message,
    hint: 'All `*.graphql` files of a contract form one schema (GraphQL, 3).',
    location: nodes?.map((node) => locationOf(node, '')).find((location) => location !== undefined) ?? start,
  }));
}

/** Invalid values of directive arguments, which `validateSDL` does not check. */
function directiveFaults(document: DocumentNode, schema: GraphQLSchema): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  visit(document, {
    Directive(node) {
      const definition = schema.getDirective(node.name.value);
      try {
        if (definition) getArgumentValues(definition, node);
      } catch (error) {
        if (!(error instanceof GraphQLError)) throw error;
        errors.push(new GraphQLError(error.message, { nodes: error.nodes ?? node }));
      }
    },
  });
  return errors;
}

function alteredDirective(location: Location, name: string): Finding {
  const definition = builtIn.definitions.find((one) => 'name' in one && one.name?.value === name);
  const hint = `Remove it, or repeat the built-in definition: ${definition?.loc?.source.body.slice(definition.loc.start, definition.loc.end)}`;
  return {
    rule: 'sdl-directive',
    severity: 'error',
    message: `\`@${name}\` is built in, with a different definition.`,
    hint,
    location,
  };
}

function locationOf(node: ASTNode | null | undefined, pointer: string): Location | undefined {
  const { loc } = node ?? {};
  if (!loc || loc.source.name === 'built in') return undefined;
  const { line, column } = loc.startToken;
  return { file: loc.source.name, line, column, pointer };
}
