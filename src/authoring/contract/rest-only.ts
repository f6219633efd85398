import { authText, isRestOnly, sdlFacts, whyNoField } from '../../compiler/graphql/convention/index.ts';
import { collidingOperations } from '../../compiler/graphql/parity/index.ts';
import { type ContractSource, customOperations, type OperationDraft } from '../../compiler/model/index.ts';
import { draftContract } from '../../compiler/model/resources/index.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { ContractFiles } from '../sync/contract-files.ts';
import { OpenApiWriter } from '../sync/openapi-writer.ts';

/** A custom operation that GraphQL cannot have. */
export interface RestOperation {
  readonly operationId: string;
  readonly node: object;
  /** The reason, as a sentence. */
  readonly because: string;
}

/**
 * The custom operations that GraphQL cannot have: those without JSON, with two security schemes at once, and, before there is an SDL, with
 * names that GraphQL would spell the same. Those that the SDL has are left to its author.
 */
export function restOperations(source: ContractSource): readonly RestOperation[] {
  const draft = draftContract({ ...source, sdl: undefined });
  const colliding = source.sdl ? new Map<OperationDraft, string>() : collidingOperations(draft, undefined);
  const { operationIds } = sdlFacts(source.sdl?.document);
  return customOperations(draft).flatMap((operation) => {
    const { operationId, node } = operation;
    if (operationIds.has(operationId) || isRestOnly(node)) return [];
    const because =
      whyNoField({ document: draft.document, resources: [] }, operation) ??
      withTwoSchemes(operation, draft.document) ??
      colliding.get(operation);
    return because === undefined ? [] : [{ operationId, node, because }];
  });
}

/** Declares by `x-parity` that operations are of REST alone. */
export async function leaveToRest(
  files: ContractFiles,
  source: ContractSource,
  operations: readonly RestOperation[],
): Promise<void> {
  const writer = new OpenApiWriter(files, source);
  for (const { node, because } of operations)
    await writer.addEntry(source.locate(node), 'x-parity', { graphql: 'absent', because });
}

const withTwoSchemes = ({ access }: OperationDraft, document: OpenApiDocument): string | undefined =>
  authText(access, document) === undefined ? 'It requires two security schemes at once.' : undefined;
