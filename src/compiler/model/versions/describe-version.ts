import type { OldVersion } from '../../../descriptor/version.ts';
import type { ContractDraft } from '../draft.ts';
import { errorCatalogue } from '../errors/catalogue.ts';
import { describeRest } from '../rest/describe-rest.ts';

export type VersionDates = Pick<OldVersion, 'deprecated' | 'sunset'>;

/** An old version by its released document; `successor` is the path of the present one. */
export function describeVersion(
  { document, operations }: Pick<ContractDraft, 'document' | 'operations'>,
  { deprecated, sunset }: VersionDates,
  successor: string,
): OldVersion {
  const until = sunset === undefined ? {} : { sunset };
  const rest = describeRest(document, operations, { since: deprecated, ...until, successor });
  return { document, rest, errors: errorCatalogue(document), deprecated, ...until };
}
