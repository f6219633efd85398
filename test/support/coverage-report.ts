import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import { resolveReference } from '../../src/compiler/json-schema/references.ts';
import type { ContractModel } from '../../src/compiler/model/model.ts';
import type { Response } from '../../src/descriptor/document.ts';
import { operationWithId } from '../../src/descriptor/rest.ts';
import { TITLE } from './contract-coverage.ts';

/** Whole runs are held against the contract; a part of the tests cannot exercise all of it. */
interface Project {
  readonly vitest: {
    readonly config: { readonly testNamePattern?: RegExp };
    readonly state: { getFiles(): readonly { readonly result?: { readonly state?: string } | undefined }[] };
    globTestSpecifications(): Promise<readonly unknown[]>;
  };
}

/** Gathers what the tests of a run have seen the shipped contract answer, and says at the end what they have not. */
export default function contractCoverage(project: Project): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-coverage-'));
  process.env['CONTRACT_COVERAGE'] = folder;
  const modelling = modelContract('contracts');
  return async () => {
    const facts = new Set(
      readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n')),
    );
    rmSync(folder, { recursive: true });
    const { model } = await modelling;
    if (model?.document.info.title !== TITLE) return;
    const expected = expectedFacts(model);
    const missing = expected.filter((fact) => !facts.has(fact));
    mkdirSync('coverage', { recursive: true });
    writeFileSync(
      'coverage/contract.json',
      `${JSON.stringify({ expected: expected.length, missing, seen: [...facts].sort() }, undefined, 2)}\n`,
    );
    const share = `${expected.length - missing.length} of ${expected.length}`;
    console.log(`\n Contract coverage: ${share} (operation × status × code, GraphQL field × code, tool × code)`);
    const ran = project.vitest.state.getFiles();
    const files = await project.vitest.globTestSpecifications();
    const isWhole = ran.length === files.length && project.vitest.config.testNamePattern === undefined;
    if (missing.length === 0 || !isWhole) return;
    throw new Error(`The tests exercise ${share} answers of the contract; missing:\n  ${missing.join('\n  ')}`);
  };
}

/** Every answer that the contract promises: of each operation, each field at the root of the schema, and each tool. */
export const expectedFacts = (model: ContractModel): readonly string[] =>
  [promisedByRest, promisedByGraphql, promisedByTools].flatMap((promised) => promised(model));

function promisedByRest({ document, operations }: ContractModel): readonly string[] {
  return operations.flatMap(({ operationId, method, path }) =>
    Object.entries(document.paths[path]![method]!.responses).flatMap(([status, response]) => {
      const codes = resolveReference<Response>(document, response)?.['x-error-codes'] ?? [''];
      // The server answers these before it knows the operation; `test/runtime/http` provokes them.
      if (status === '414' || status === '431') return [];
      return codes.map((code) => `${operationId} ${status} ${code}`.trim());
    }),
  );
}

function promisedByGraphql({ operations, graphql }: ContractModel): readonly string[] {
  const fields = Object.entries(graphql?.descriptor.fields ?? {}).filter(([coordinate]) =>
    /^(?:Query|Mutation|Subscription)\./.test(coordinate),
  );
  const byAction: ReadonlyMap<string, readonly string[]> = new Map(
    operations.flatMap(({ default: served, errorCodes }) =>
      served ? [[`${served.resource} ${served.action}`, errorCodes] as const] : [],
    ),
  );
  return fields.flatMap(([coordinate, field]) => {
    const codesOf = (action: string): readonly string[] | undefined =>
      'resource' in field ? byAction.get(`${field.resource} ${action}`) : undefined;
    const codes = codesOf(field.kind) ?? codesOf('get')?.filter((code) => EVENT_CODES.has(code)) ?? [];
    const isRead = coordinate.startsWith('Query.');
    const reachable = codes.filter((code) => !HTTP_ONLY.has(code) && !(isRead && code === 'PRECONDITION_FAILED'));
    return ['OK', ...reachable].map((code) => `${coordinate} ${code}`);
  });
}

function promisedByTools({ rest, tools }: ContractModel): readonly string[] {
  return (tools?.tools ?? []).flatMap(({ name, operationId, annotations }) => {
    const { errorCodes = [] } = operationWithId(rest.operations, operationId);
    const reachable = errorCodes.filter(
      (code) => !BEFORE_TOOLS.has(code) && !(annotations.readOnlyHint && code === 'PRECONDITION_FAILED'),
    );
    return ['OK', ...reachable].map((code) => `tool ${name} ${code}`);
  });
}

/** What refuses a subscription, of all that refuses a look at the resource. */
const EVENT_CODES = new Set(['VALIDATION_FAILED', 'UNAUTHENTICATED', 'FORBIDDEN']);

/** What only a request over HTTP can get wrong, whatever it asks for: the fields have nothing to do with it. */
const HTTP_ONLY = new Set(['MALFORMED_REQUEST', 'NOT_ACCEPTABLE', 'CONTENT_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']);

/** What refuses a request before anybody knows which tool it calls. */
const BEFORE_TOOLS = new Set([...HTTP_ONLY, 'TOO_MANY_REQUESTS', 'URI_TOO_LONG', 'HEADERS_TOO_LARGE']);
