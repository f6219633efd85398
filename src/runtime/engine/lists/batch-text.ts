import type { BatchResult, BatchResults } from '../interface/engine.ts';

/** The results of a batch as JSON. `failureOf`: the text of a failed item. `tagOf`: the entity tag of a row, if it is shown. */
export function batchText(
  results: BatchResults,
  failureOf: (error: Error) => string,
  tagOf?: (entity: NonNullable<BatchResult['entity']>) => string,
): string {
  const successOf = ({ status, entity }: BatchResult): string => {
    if (!entity) return `{"status":${status}}`;
    const tag = tagOf ? `"etag":${JSON.stringify(tagOf(entity))},` : '';
    return `{"status":${status},${tag}"data":${entity.json}}`;
  };
  return `{"data":[${results.map((one) => (one instanceof Error ? failureOf(one) : successOf(one))).join()}]}`;
}
