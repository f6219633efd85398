import { print } from 'graphql';
import type { ErrorCatalogue } from '../descriptor/error.ts';
import type { GraphqlDescriptor } from '../descriptor/graphql.ts';
import { isListing, type ResourceDescriptor, type Role } from '../descriptor/resource.ts';
import { withConsistentFixes } from './findings/consistent-fixes.ts';
import { type Finding, isError } from './findings/finding.ts';
import { describeGraphql } from './graphql/fields/describe-graphql.ts';
import { type GraphqlView, graphqlView, unchangedView } from './graphql/names/graphql-view.ts';
import { checkSdl } from './graphql/parity/check-sdl.ts';
import { nameCollisions } from './graphql/parity/name-collisions.ts';
import { parityFindings, parityTable } from './graphql/parity/parity-table.ts';
import { besideStructure, judgedBeside } from './graphql/parity/unaffected.ts';
import { type ContractDraft, type OperationDraft, rolesOf } from './model/draft.ts';
import { errorCatalogue } from './model/errors/catalogue.ts';
import { impliedCodes } from './model/errors/implied-codes.ts';
import type { ContractModel, GraphqlModel, Modelled } from './model/model.ts';
import type { ParityRow } from './model/parity-row.ts';
import { describeResources } from './model/resources/describe-resource.ts';
import { draftContract } from './model/resources/draft-contract.ts';
import { includableRows, includedBy, readIncludes, withIncludes } from './model/resources/read-includes.ts';
import { describeRest, withCode } from './model/rest/describe-rest.ts';
import type { ContractSource } from './model/source.ts';
import { describeTools } from './model/tools/index.ts';
import { withAccessWords } from './read/complete/access-words.ts';
import { completeDocument } from './read/complete/complete-document.ts';
import type { DecidedOperation } from './read/complete/decided-operation.ts';
import { declaredCodes, TRANSPORT_CODES } from './read/complete/error-responses.ts';
import { includedSchemas } from './read/complete/included-schemas.ts';
import { refuseLiteralSegments } from './read/complete/literal-segments.ts';
import { oldVersions } from './read/old-versions.ts';
import { checkRules } from './rules/check-rules.ts';
import { checkIncludes } from './rules/include-rule.ts';
import { checkTools } from './rules/tool-rules.ts';
import { withAccessDescriptions } from './sdl/access-descriptions.ts';
import { withCountDescriptions } from './sdl/count-descriptions.ts';

/**
 * Judges a contract and decides all that the emitters print. Every fault is found, not the first alone;
 * with an error among them there is no model.
 */
export function buildModel(source: ContractSource): Modelled {
  const draft = draftContract(source);
  const { sdl } = source;
  const named = sdl ? nameCollisions(draft, sdl.schema) : [];
  const isNamed = isSound([...(sdl?.findings ?? []), ...named]) && sdl?.schema !== undefined;
  const findings = [...source.findings, ...(sdl?.findings ?? []), ...named, ...checkRules(draft)];
  const resources = isNamed || isSound(findings) ? describeResources(draft.document, draft.resources) : [];
  // Both protocols are compared in the names of GraphQL.
  const view = isNamed ? graphqlView(draft, resources) : undefined;
  const model = isSound(findings) ? modelOf(draft, resources, view) : undefined;
  const compared = view && comparedDescriptor(view, model?.graphql);
  const parity = view && compared ? judgeSdl(view, compared, findings) : [];
  if (model) findings.push(...checkTools(draft, model), ...checkIncludes(draft, model));
  const certain = source.rest ? besideStructure(draft, findings, buildModel(source.rest)) : findings;
  const shown = withConsistentFixes(certain.toSorted(byPlace));
  return { model: isSound(shown) ? model : undefined, candidate: model, findings: shown, parity };
}

/** Adds what is wrong with the SDL, and where it differs from the OpenAPI side, beside errors of other resources. */
function judgeSdl(view: GraphqlView, descriptor: GraphqlDescriptor, findings: Finding[]): readonly ParityRow[] {
  const { draft } = view;
  const beside = judgedBeside(findings, view, descriptor);
  if (!beside) return [];
  findings.push(...checkSdl(view, descriptor).filter(beside.isFinding));
  const isWhole = isSound(findings);
  const still = isWhole ? beside : judgedBeside(findings, view, descriptor);
  const rows = still ? parityTable(draft, view.resources, descriptor).filter(still.isRow) : [];
  findings.push(...parityFindings(rows));
  return isWhole ? rows : [];
}

const isSound = (findings: readonly Finding[]): boolean => !findings.some(isError);

/** As a reader meets them: file by file, from the top. */
function byPlace({ location: a }: Finding, { location: b }: Finding): number {
  return a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1;
}

function modelOf(
  draft: ContractDraft,
  described: readonly ResourceDescriptor[],
  view: GraphqlView | undefined,
): ContractModel {
  const { document } = draft;
  const errors = errorCatalogue(document);
  const graphql = view && graphqlModel(draft, described, view);
  const reads = readIncludes(draft);
  const includable = reads.length > 0 ? includableRows(draft, graphql?.descriptor) : new Map();
  const resources = withIncludes(described, reads, includable);
  const operations = decideOperations(draft, resources, errors);
  const versions = oldVersions(document, draft.source.versions ?? new Map());
  const completed = completeDocument(document, errors, operations, includedSchemas(draft.resources, resources));
  refuseLiteralSegments(completed, resources);
  const model: ContractModel = {
    document: withAccessWords(completed.document, resources),
    rest: withCode(
      {
        ...describeRest(completed.document, completed.operations),
        ...(!draft.conventional && { yieldsLimits: true }),
      },
      operations.flatMap((one) => (one.model.default ? [] : [one.draft])),
      document,
      graphql?.descriptor,
    ),
    operations: completed.operations.map((operation, i) => ({ ...operation, ...operations[i]!.model })),
    resources,
    errors,
    ...(graphql && { graphql }),
    ...(Object.keys(versions).length > 0 && { versions }),
  };
  const tools = describeTools(model);
  return tools ? { ...model, tools } : model;
}

function graphqlModel(
  { document, source: { sdl } }: ContractDraft,
  resources: readonly ResourceDescriptor[],
  view: GraphqlView,
): GraphqlModel | undefined {
  if (!sdl?.schema) return undefined;
  const described = withCountDescriptions(withAccessDescriptions(sdl.document, view.resources), view.resources);
  return { sdl: print(described), descriptor: describeGraphql(sdl.schema, view, document, resources) };
}

/** What the fields of the SDL mean, in the names of GraphQL. */
function comparedDescriptor(view: GraphqlView, graphql: GraphqlModel | undefined): GraphqlDescriptor | undefined {
  const { draft, resources } = view;
  const { schema } = draft.source.sdl ?? {};
  if (!schema) return undefined;
  if (!view.isRenamed && graphql) return graphql.descriptor;
  return describeGraphql(schema, unchangedView(draft, resources), draft.document, resources);
}

function decideOperations(
  draft: ContractDraft,
  resources: readonly ResourceDescriptor[],
  errors: ErrorCatalogue,
): readonly DecidedOperation[] {
  const byKey = new Map(resources.map((resource) => [resource.key, resource]));
  const defaults = defaultActions(draft);
  return draft.operations.map((operation) => {
    const standard = defaults.get(operation);
    const resource = standard && byKey.get(standard.resource);
    const facts = { operation, document: draft.document, resources: byKey };
    const included = resource && includedBy(draft.document, operation, resource, byKey);
    const codes = new Set([
      ...impliedCodes(standard && resource ? { ...facts, resource, action: standard.action, included } : facts),
      ...declaredCodes(operation),
    ]);
    const errorCodes = Object.keys(errors).filter((code) => codes.has(code) && !TRANSPORT_CODES.includes(code));
    const listed =
      standard && isListing(standard.action) && draft.resources.find(({ key }) => key === standard.resource);
    const location = draft.source.locate(operation.item, operation.method);
    const model = { ...(standard && { default: standard }), errorCodes, location };
    return { draft: operation, model, ...(listed && { listed }) };
  });
}

/** Which operation is which action of which resource. */
function defaultActions({ resources }: ContractDraft): ReadonlyMap<OperationDraft, { resource: string; action: Role }> {
  return new Map(
    resources.flatMap((resource) =>
      rolesOf(resource).map(({ operation, action }) => [operation, { resource: resource.key, action }] as const),
    ),
  );
}
