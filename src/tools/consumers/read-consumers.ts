import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type DefinitionNode, GraphQLError, parse, Source } from 'graphql';
import type { Finding, Location } from '../../compiler/findings/index.ts';
import { parseFile, SourceMap } from '../../compiler/read/index.ts';
import { CONSUMERS } from '../../compiler/sdl/index.ts';
import { shapeFault } from '../shape-fault.ts';
import type { Half } from './call-values.ts';

/** What a client that somebody has registered sends. */
export interface Consumer {
  readonly name: string;
  /** Operations and fragments of its `*.graphql` files, whose sources have the names of the files. */
  readonly definitions: readonly DefinitionNode[];
  readonly calls: readonly Call[];
}

/** An operation that it calls over REST. What is absent is not stated, so that any part may be used. */
export interface Call {
  /** An operationId, or method and path: `GET /orders/{orderId}`. */
  readonly operation: string;
  readonly parameters?: readonly string[];
  /** JSON pointers to what it reads of answers, and to what it sends of bodies. */
  readonly reads?: readonly string[];
  readonly sends?: readonly string[];
  /** Of the call, or of an entry of one of its lists. */
  readonly locate: (list?: 'parameters' | Half, at?: number) => Location;
}

export interface Registered {
  readonly consumers: readonly Consumer[];
  /** What is wrong with the files themselves. */
  readonly findings: readonly Finding[];
}

/** Those of `consumers/` in the folder of a contract, by name; undefined if nobody is registered. */
export function readConsumers(folder: string): Registered | undefined {
  const root = join(folder, CONSUMERS);
  const entries = existsSync(root) ? readdirSync(root, { withFileTypes: true }) : [];
  const findings: Finding[] = [];
  const consumers = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readConsumer(folder, name, findings))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return consumers.length === 0 ? undefined : { consumers, findings };
}

function readConsumer(folder: string, name: string, findings: Finding[]): Consumer {
  const own = `${CONSUMERS}/${name}`;
  const files = readdirSync(join(folder, own), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
  const [documents, calls] = [files.filter((file) => file.endsWith('.graphql')), `${own}/operations.yaml`];
  const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const faults: Finding[] = [];
  const consumer = {
    name,
    definitions: documents.flatMap((file) => definitionsIn(new Source(textOf(file), file), faults)),
    calls: files.includes(calls) ? callsIn(textOf(calls), calls, faults) : [],
  };
  const isEmpty = consumer.definitions.length === 0 && consumer.calls.length === 0;
  findings.push(...faults, ...(isEmpty && faults.length === 0 ? [emptyFault(own, files)] : []));
  return consumer;
}

function emptyFault(own: string, files: readonly string[]): Finding {
  const location = { file: files[0] ?? own, line: 1, column: 1, pointer: '' };
  const others = files.map((file) => `\`${file}\``).join(', ');
  const message = `Consumer \`${own}\` has no documents and no calls${others === '' ? '' : `, but only ${others}`}.`;
  const hint = 'Documents are files `*.graphql`, and calls are in `operations.yaml`.';
  return { rule: 'consumer-empty', severity: 'error', message, hint, location };
}

function definitionsIn(source: Source, findings: Finding[]): readonly DefinitionNode[] {
  try {
    return parse(source).definitions;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    findings.push(documentFault(error));
    return [];
  }
}

/** What a document is not valid by. */
export function documentFault({ message, source, locations }: GraphQLError): Finding {
  const [{ line, column } = { line: 1, column: 1 }] = locations ?? [];
  const hint = 'Keep the parts that the consumer uses, or change its document if the consumer no longer sends it.';
  const location = { file: source?.name ?? CONSUMERS, line, column, pointer: '' };
  return { rule: 'consumer-document', severity: 'error', message, hint, location };
}

const texts = { type: 'array', items: { type: 'string' } };
const pointers = { type: 'array', items: { type: 'string', pattern: '^(?:/|$)' } };
const members = { operation: { type: 'string' }, parameters: texts, reads: pointers, sends: pointers };
const call = { type: 'object', properties: members, required: ['operation'], additionalProperties: false };
const calls = { type: 'array', items: call };
const validate = new Ajv2020({ allErrors: true, strict: false }).compile({
  ...call,
  properties: { calls },
  required: ['calls'],
});
const SHAPE = 'The file has `calls`: each an `operation` and, if they are stated, `parameters`, `reads` and `sends`.';

function callsIn(text: string, file: string, findings: Finding[]): readonly Call[] {
  const map = new SourceMap({ file, line: 1, column: 1, pointer: '' });
  const { value, findings: unreadable } = parseFile(text, file, map);
  findings.push(...unreadable);
  const fault = unreadable.length === 0 ? shapeFault(validate, value, file, map) : undefined;
  if (fault) findings.push({ rule: 'consumer-shape', severity: 'error', hint: SHAPE, ...fault });
  if (unreadable.length > 0 || fault) return [];
  const { calls: written } = value as { readonly calls: readonly Omit<Call, 'locate'>[] };
  return written.map((one) => ({ ...one, locate: (name, at) => map.locate((name && one[name]) ?? one, at) }));
}
